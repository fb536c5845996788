// The start of an editor: sign-in, policies, registries, repository context, model discovery, all within seconds and before
// the first question. Grouped, so that forty calls read as five steps.
//
// LIMITS: editors that start at the same time are taken for one.

import type { CallCompleted, CallId } from '../model/index.ts';

export const STAGES = [
  'sign-in',
  'policy',
  'registry',
  'repository context',
  'model discovery',
  'experiments',
] as const;
export type Stage = (typeof STAGES)[number];

export interface BootCall {
  readonly call: CallId;
  readonly class: string;
  readonly status: number | null;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

export interface Boot {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly stages: readonly { readonly stage: Stage; readonly calls: readonly BootCall[] }[];
}

/** Which classes belong to which step; first match wins. */
const CLASSES: readonly (readonly [Stage, RegExp])[] = [
  ['sign-in', /^auth\./],
  ['policy', /^(policy\.|content_exclusion$|org\.instructions$)/],
  ['registry', /^(mcp\.registry|marketplace)$/],
  ['model discovery', /^models\./],
  ['repository context', /^(github\.|index\.|agents\.(list|swe|memory)|sessions\.(list|get)|skills\.list)/],
  ['experiments', /^exp\./],
];

/** After this silence the start is over. */
const QUIET_NS = 30_000_000_000n;
/** Calls of one start; an editor makes some tens. */
const MAX_CALLS = 500;
/** Starts of one session. */
const MAX_BOOTS = 100;

export class BootGrouper {
  readonly #boots: Boot[] = [];
  #calls: (BootCall & { readonly stage: Stage })[] = [];

  accept(call: CallCompleted): void {
    const last = this.#calls.at(-1);
    if (call.llm?.request !== undefined || (last !== undefined && call.startNs - last.endNs > QUIET_NS)) this.#close();
    const stage = CLASSES.find(([, pattern]) => pattern.test(call.class))?.[0];
    if (stage === undefined || this.#calls.length >= MAX_CALLS) return;
    const { id, status, startNs, tsNs } = call;
    this.#calls.push({ call: id, class: call.class, status, startNs, endNs: tsNs, stage });
  }

  /** The starts so far, the one that goes on included. */
  list(): readonly Boot[] {
    this.#close();
    return this.#boots;
  }

  #close(): void {
    const calls = this.#calls;
    this.#calls = [];
    const stages = STAGES.map((stage) => ({
      stage,
      calls: calls.filter((call) => call.stage === stage).map(withoutStage),
    }));
    const met = stages.filter((stage) => stage.calls.length > 0);
    // A token that is renewed, or models that are listed again, are no start.
    const isStart = met.length > 1 && met.some(({ stage }) => stage === 'sign-in');
    if (!isStart || this.#boots.length >= MAX_BOOTS) return;
    let { startNs, endNs } = calls[0] ?? { startNs: 0n, endNs: 0n };
    for (const call of calls) {
      if (call.startNs < startNs) startNs = call.startNs;
      if (call.endNs > endNs) endNs = call.endNs;
    }
    this.#boots.push({ startNs, endNs, stages: met });
  }
}

const withoutStage = ({ stage: _, ...call }: BootCall & { readonly stage: Stage }): BootCall => call;
