// What each model was asked and what it cost: calls, tokens, errors, and premium requests by who set the call off.
//
// A premium request is counted for a chat call that the user set off: multiplier of the model, less the discount of Auto
// mode. The multiplier is that of the newest model list of the recording; without a list it is not known and not guessed.

import type { CallCompleted, ModelInfo, Usage } from '../model/index.ts';
import { type Initiator, initiatorOf, isAutoMode, isCopilotChat, isOtherModel } from './caller.ts';

export interface ModelUse {
  readonly model: string;
  readonly host: string | null;
  calls: number;
  readonly byInitiator: Record<Initiator, number>;
  /** Of the user's, those in Auto mode. */
  autoByUser: number;
  errors: number;
  readonly usage: Usage;
  /** Models that the answers named, with their number. */
  readonly answeredBy: Record<string, number>;
  /** Whether GitHub counts its calls. */
  readonly isCopilots: boolean;
}

export interface PremiumUse {
  readonly model: string;
  readonly userCalls: number;
  readonly autoUserCalls: number;
  /** Undefined: no model list says. */
  readonly multiplier: number | undefined;
  /** Part that Auto mode takes off. */
  readonly discount: number;
  /** Undefined when the multiplier is. */
  readonly requests: number | undefined;
}

/** Models and answering names; a client uses some tens. */
const MAX_MODELS = 500;
const MAX_NAMES = 50;

export class ModelUseLog {
  readonly #uses = new Map<string, ModelUse>();

  accept(call: CallCompleted): void {
    const { llm } = call;
    if (llm === undefined || call.copyOf !== undefined) return;
    const use = this.#use(call, llm.model ?? 'unknown');
    if (use === undefined) return;
    use.calls += 1;
    const initiator = initiatorOf(call);
    use.byInitiator[initiator] += 1;
    if (initiator === 'user' && isAutoMode(call)) use.autoByUser += 1;
    if (llm.error !== undefined || (call.status ?? 200) >= 400) use.errors += 1;
    addUsage(use.usage, llm.usage);
    const name = llm.answeredBy;
    if (name !== undefined && (name in use.answeredBy || Object.keys(use.answeredBy).length < MAX_NAMES))
      use.answeredBy[name] = (use.answeredBy[name] ?? 0) + 1;
  }

  list(): readonly ModelUse[] {
    return [...this.#uses.values()].sort((a, b) => b.calls - a.calls);
  }

  #use(call: CallCompleted, model: string): ModelUse | undefined {
    const isCopilots = isCopilotChat(call);
    const key = `${call.host ?? ''} ${isCopilots} ${model}`;
    const known = this.#uses.get(key);
    if (known !== undefined || this.#uses.size >= MAX_MODELS) return known;
    const fresh: ModelUse = {
      model,
      host: call.host,
      calls: 0,
      byInitiator: { user: 0, agent: 0, unknown: 0 },
      autoByUser: 0,
      errors: 0,
      usage: {},
      answeredBy: {},
      isCopilots,
    };
    this.#uses.set(key, fresh);
    return fresh;
  }
}

function addUsage(sum: Usage, more: Usage): void {
  for (const [name, count] of Object.entries(more) as [keyof Usage, number][]) sum[name] = (sum[name] ?? 0) + count;
}

/** Premium requests by model, of those that Copilot's own hosts answered. */
export function premiumUses(
  uses: readonly ModelUse[],
  infoOf: (model: string) => ModelInfo | undefined,
  discountOf: (model: string) => number,
): PremiumUse[] {
  return uses
    .filter((use) => use.isCopilots && use.byInitiator.user > 0)
    .map((use) => {
      const multiplier = infoOf(use.model)?.multiplier;
      const discount = discountOf(use.model);
      const plainCalls = use.byInitiator.user - use.autoByUser;
      const counted = plainCalls + use.autoByUser * (1 - discount);
      return {
        model: use.model,
        userCalls: use.byInitiator.user,
        autoUserCalls: use.autoByUser,
        multiplier,
        discount,
        requests: multiplier === undefined ? undefined : round(counted * multiplier),
      };
    });
}

/** To a thousandth: products of fractions would show their binary tail. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Names that answered instead of `model`, with their number. */
export const substitutes = ({ model, answeredBy }: ModelUse): [name: string, count: number][] =>
  Object.entries(answeredBy).filter(([name]) => isOtherModel(model, name));
