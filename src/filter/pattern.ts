// Regular expressions in linear time: the tree becomes a nondeterministic automaton (Thompson), of which the deterministic
// one is made as far as the text needs it. There is no backtracking, so that no text and no expression takes more than
// (length of the text × states) steps; both are bounded, and so is the memory.

import {
  type Anchor,
  type CharTest,
  isWordChar,
  PatternError,
  type PatternTree,
  parsePattern,
} from './pattern-syntax.ts';

/** States of the nondeterministic automaton. */
const MAX_NODES = 1_000;
/** Transitions that are remembered, about 8 MB; then they are forgotten and made again. */
const MAX_TRANSITIONS = 50_000;
/** Node visits of one search before it gives up: some tenths of a second. Only reached when remembering does not help. */
const MAX_VISITS = 5_000_000;

type Node =
  | { readonly kind: 'char'; readonly matches: CharTest; next: number }
  | { readonly kind: 'anchor'; readonly anchor: Anchor; next: number }
  | { readonly kind: 'split'; readonly next: number[] }
  | { readonly kind: 'match' };

/** What stands before a place in the text. */
type Before = 'start' | 'word' | 'other';

/** One state of the deterministic automaton: where the search may be, before anchors were looked at. */
interface State {
  readonly nodes: readonly number[];
  readonly before: Before;
  readonly next: Map<number, State>;
  /** Whether the text may end here; undefined until it was asked. */
  endsWell: boolean | undefined;
}

export interface Pattern {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** Searches that were given up (and counted as no match). */
  readonly gaveUp: number;
}

/** Tree to nodes. Each piece is built before what follows it is known: `next` is the node that follows. */
class Builder {
  readonly nodes: Node[] = [{ kind: 'match' }];

  add(node: Node): number {
    if (this.nodes.length >= MAX_NODES) throw new PatternError('too large when its repetitions are written out', 0);
    this.nodes.push(node);
    return this.nodes.length - 1;
  }

  /** The first node of `tree`, which goes on to `next`. */
  build(tree: PatternTree, next: number): number {
    switch (tree.kind) {
      case 'char':
        return this.add({ kind: 'char', matches: tree.matches, next });
      case 'anchor':
        return this.add({ kind: 'anchor', anchor: tree.anchor, next });
      case 'sequence':
        return tree.items.reduceRight((after, item) => this.build(item, after), next);
      case 'choice':
        return this.add({ kind: 'split', next: tree.items.map((item) => this.build(item, next)) });
      case 'repeat':
        return this.#repeat(tree, next);
    }
  }

  #repeat({ item, min, max }: Extract<PatternTree, { kind: 'repeat' }>, next: number): number {
    let first = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: Node = { kind: 'split', next: [next] };
      first = this.add(loop);
      loop.next.push(this.build(item, first));
    } else {
      for (let i = min; i < max; i += 1) first = this.add({ kind: 'split', next: [next, this.build(item, first)] });
    }
    for (let i = 0; i < min; i += 1) first = this.build(item, first);
    return first;
  }
}

/** What anchors ask about a place between two characters; `after` is null at the end of the text. */
function holds(anchor: Anchor, before: Before, after: number | null): boolean {
  const isEdge = (before === 'word') !== (after !== null && isWordChar(after));
  switch (anchor) {
    case 'start':
      return before === 'start';
    case 'end':
      return after === null;
    case 'word':
      return isEdge;
    case 'not-word':
      return !isEdge;
  }
}

class Automaton implements Pattern {
  readonly #nodes: readonly Node[];
  readonly #first: number;
  #states = new Map<string, State>();
  #transitions = 0;
  #visits = 0;
  #gaveUp = 0;

  constructor(nodes: readonly Node[], first: number) {
    this.#nodes = nodes;
    this.#first = first;
  }

  get gaveUp(): number {
    return this.#gaveUp;
  }

  test(text: string): boolean {
    this.#visits = 0;
    let state = this.#state([], 'start');
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      const next = state.next.get(code) ?? this.#step(state, code);
      if (next === MATCHED) return true;
      state = next;
      if (this.#visits > MAX_VISITS) {
        this.#gaveUp += 1;
        return false;
      }
    }
    state.endsWell ??= this.#closure(state, null) === null;
    return state.endsWell;
  }

  #state(nodes: readonly number[], before: Before): State {
    const key = `${before} ${nodes.join(' ')}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state: State = { nodes, before, next: new Map(), endsWell: undefined };
    this.#states.set(key, state);
    return state;
  }

  #step(state: State, code: number): State {
    if (this.#transitions >= MAX_TRANSITIONS) {
      this.#states = new Map();
      this.#transitions = 0;
    }
    const chars = this.#closure(state, code);
    const next = chars === null ? MATCHED : this.#state(this.#after(chars, code), isWordChar(code) ? 'word' : 'other');
    state.next.set(code, next);
    this.#transitions += 1;
    return next;
  }

  /** Nodes that follow those that take `code`, in a fixed order. */
  #after(chars: readonly number[], code: number): number[] {
    const next = new Set<number>();
    for (const id of chars) {
      const node = this.#nodes[id];
      if (node?.kind === 'char' && node.matches(code)) next.add(node.next);
    }
    return [...next].sort((a, b) => a - b);
  }

  /** Nodes that take a character and can be reached without one; null when the match is reached. */
  #closure(state: State, after: number | null): readonly number[] | null {
    const seen = new Set<number>();
    const open = [...state.nodes, this.#first];
    const chars: number[] = [];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const node = this.#nodes[id];
      if (node === undefined || node.kind === 'match') return null;
      if (node.kind === 'char') chars.push(id);
      else if (node.kind === 'split') open.push(...node.next);
      else if (holds(node.anchor, state.before, after)) open.push(node.next);
    }
    this.#visits += seen.size;
    return chars;
  }
}

/** Stands for "found": the text behind it does not matter. */
const MATCHED: State = { nodes: [], before: 'other', next: new Map(), endsWell: true };

/** Throws PatternError. */
export function compilePattern(text: string): Pattern {
  const builder = new Builder();
  const first = builder.build(parsePattern(text), 0);
  return new Automaton(builder.nodes, first);
}
