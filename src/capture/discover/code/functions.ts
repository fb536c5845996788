// Which function holds a place in the code? Candidates for its entry are tried in order of trust, nearest first; one is
// taken when the control flow from it reaches the place and it behaves like a function as a whole.

import type { ElfImage } from '../elf.ts';
import { CodeMap } from './code-map.ts';
import { functionRanges } from './eh-frame.ts';
import type { Machine } from './machine.ts';
import { forEachPointer } from './scan-data.ts';
import { type Code, type FunctionTrace, walk } from './walk.ts';

/** How far before a place its function's entry is looked for. */
const MAX_FUNCTION_BYTES = 0x4000;
const MAX_UNCALLED_BYTES = 0x2000;
const MAX_CANDIDATES = 60;

/** Cold parts are entered within this distance before the place. */
const COLD_PART_BYTES = 0x200;
const MAX_COLD_SOURCES = 64;

/** A fixed-address reference may begin one byte earlier than its scan says (a REX prefix). */
const reaches = (f: FunctionTrace, place: number): boolean =>
  f.instructions.has(place) || (f.instructions.get(place - 1) ?? 0) > 5;

export class Functions {
  readonly map: CodeMap;
  readonly #elf: ElfImage;
  readonly #code: Code;
  readonly #traces = new Map<number, FunctionTrace>();

  constructor(elf: ElfImage, machine: Machine) {
    this.#elf = elf;
    this.map = new CodeMap(elf);
    this.#code = { machine, map: this.map, rangeOf: functionRanges(elf) };
  }

  get machine(): Machine {
    return this.#code.machine;
  }

  /** Collects calls, jumps and stored addresses around `places`; needed before their functions are asked for. */
  survey(places: readonly number[]): void {
    if (places.length === 0) return;
    this.map.focus(places);
    forEachPointer(this.#elf, this.map.low, this.map.high, (target) => {
      if (this.map.isWanted(target)) this.map.addressTaken.add(target);
    });
    this.machine.scanBranches(this.map);
  }

  trace(entry: number): FunctionTrace {
    const known = this.#traces.get(entry);
    if (known !== undefined) return known;
    const trace = walk(this.#code, entry);
    this.#traces.set(entry, trace);
    return trace;
  }

  /** The function of each place, and the places without one. */
  resolve(places: readonly number[]): { functions: FunctionTrace[]; orphans: number[] } {
    const functions: FunctionTrace[] = [];
    const orphans: number[] = [];
    for (const place of places) {
      if (functions.some((f) => reaches(f, place))) continue;
      const found = this.containing(place);
      if (found === undefined) orphans.push(place);
      else functions.push(found);
    }
    return this.#adoptColdParts(functions, orphans);
  }

  containing(place: number): FunctionTrace | undefined {
    const byTable = this.#code.rangeOf(place);
    const tabled = byTable && this.trace(byTable.low);
    if (tabled !== undefined && reaches(tabled, place)) return tabled;
    for (const candidates of this.#candidates(place)) {
      for (const entry of candidates) {
        const trace = this.trace(entry);
        if (reaches(trace, place) && behavesWhole(trace)) return trace;
      }
    }
    return undefined;
  }

  /** In order of trust: called, stored in data, jumped to behind padding, and whatever looks like an entry. */
  *#candidates(place: number): Generator<number[]> {
    const { machine, map } = this.#code;
    const near = (addresses: Iterable<number>): number[] =>
      [...addresses].filter((a) => a <= place && a >= place - MAX_FUNCTION_BYTES).sort((a, b) => b - a);
    const starts = (a: number): boolean => a % machine.entryAlignment === 0 || machine.hasPaddingBefore(a);
    yield near(map.calls.keys()).filter(starts).slice(0, MAX_CANDIDATES);
    yield near(map.addressTaken).slice(0, MAX_CANDIDATES);
    const jumped = near(map.jumps.keys()).filter((a) => map.jumps.get(a)?.some((j) => !j.isConditional));
    yield jumped.filter((a) => machine.hasPaddingBefore(a)).slice(0, MAX_CANDIDATES);
    yield this.#lookalikes(place);
  }

  #lookalikes(place: number): number[] {
    const { machine, map } = this.#code;
    const step = machine.entryAlignment;
    const found: number[] = [];
    const last = Math.max(0, place - MAX_UNCALLED_BYTES);
    for (let a = place - (place % step); a > last && found.length < MAX_CANDIDATES; a -= step) {
      if (!map.calls.has(a) && machine.hasPaddingBefore(a) && machine.looksLikeEntry(a, false)) found.push(a);
    }
    return found;
  }

  /** Places that only a branch from a function elsewhere reaches (hot/cold splitting): find that function. */
  #adoptColdParts(
    functions: FunctionTrace[],
    orphans: readonly number[],
  ): { functions: FunctionTrace[]; orphans: number[] } {
    const left: number[] = [];
    if (orphans.length > 0) {
      this.map.focus(orphans);
      this.machine.scanConditionalJumps(this.map);
    }
    for (const place of orphans) {
      const adopted = functions.some((f) => reaches(f, place)) ? undefined : this.#ownerOfColdPart(place);
      if (adopted !== undefined) functions.push(adopted);
      else if (!functions.some((f) => reaches(f, place))) left.push(place);
    }
    return { functions: [...new Set(functions)], orphans: left };
  }

  #ownerOfColdPart(place: number): FunctionTrace | undefined {
    const sources = [...this.map.jumps]
      .filter(([target]) => target <= place && target >= place - COLD_PART_BYTES)
      .flatMap(([, jumps]) => jumps.map((j) => j.from))
      .filter((from) => Math.abs(from - place) > COLD_PART_BYTES);
    if (sources.length === 0 || sources.length > MAX_COLD_SOURCES) return undefined;
    this.survey(sources);
    for (const from of sources) {
      const owner = this.containing(from);
      if (owner !== undefined && reaches(owner, place)) return owner;
    }
    return undefined;
  }
}

/** A block inside a function that happens to be aligned or called also leads to the place, but it uses registers that only
 * the caller knows, or leaves with another stack pointer than it came with. */
function behavesWhole(f: FunctionTrace): boolean {
  const usesSaved = [...f.loads, ...f.stores].some((access) => access.base.kind === 'saved');
  if (usesSaved) return false;
  const isUnbalanced = f.exits.some((sp) => sp.kind === 'sum' && sp.base.kind === 'stack');
  return !isUnbalanced || f.exits.some((sp) => sp.kind === 'stack');
}
