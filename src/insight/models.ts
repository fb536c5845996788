// Which models were there, which was chosen, which answered, and what is left of the quota: the calls of a session read
// with that question. Bounded: lists keep the first entries, sums go on.

import type { AutoSessionFacts, CallCompleted, CallId, ModelInfo } from '../model/index.ts';
import { isOtherModel } from './caller.ts';
import { type ModelUse, ModelUseLog, type PremiumUse, premiumUses } from './model-use.ts';
import { limitOf, QuotaLog, type QuotaSeries } from './quota.ts';
import { type RouterDecision, RouterLog } from './routing.ts';

export interface Discovery {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly class: string;
  readonly host: string | null;
  readonly models: number;
  /** Against the list before it of the same class; empty for the first. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface AutoSession {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly facts: AutoSessionFacts;
}

/** Another model answered than was asked. */
export interface Fallback {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly asked: string;
  readonly answeredBy: string;
}

/** A request that was refused for its number or its quota. */
export interface LimitHit {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly status: number | null;
  readonly code: string;
  readonly message: string;
  readonly model: string | null;
  readonly exceeded?: string;
  readonly retryAfter?: string;
}

export interface ModelsReport {
  readonly discoveries: readonly Discovery[];
  /** Newest entry of each model of the chat and completions hosts. */
  readonly models: readonly ModelInfo[];
  readonly autoSessions: readonly AutoSession[];
  readonly decisions: readonly RouterDecision[];
  readonly uses: readonly ModelUse[];
  readonly fallbacks: readonly Fallback[];
  readonly limits: readonly LimitHit[];
  readonly quotas: readonly QuotaSeries[];
  readonly premium: readonly PremiumUse[];
}

const MAX_ENTRIES = 1000;
const MAX_MESSAGE_CHARS = 300;

/** Codes by which a service says "too many" or "used up", on any wire. */
const LIMIT_CODE = /rate_?limit|quota|overage|too_many|_limit_exceeded|billing_not_configured/i;

export class ModelsLog {
  readonly #discoveries: Discovery[] = [];
  readonly #models = new Map<string, ModelInfo>();
  /** Ids of the newest list, by class. */
  readonly #listed = new Map<string, readonly string[]>();
  readonly #autoSessions: AutoSession[] = [];
  readonly #routers = new RouterLog();
  readonly #uses = new ModelUseLog();
  readonly #fallbacks: Fallback[] = [];
  readonly #limits: LimitHit[] = [];
  readonly #quotas = new QuotaLog();

  accept(call: CallCompleted): void {
    this.#discover(call);
    if (call.service?.facts === 'auto-session' && this.#autoSessions.length < MAX_ENTRIES)
      this.#autoSessions.push({ call: call.id, atNs: call.tsNs, facts: call.service });
    this.#routers.accept(call);
    this.#uses.accept(call);
    this.#noteFallback(call);
    this.#noteLimit(call);
    this.#quotas.accept(call);
  }

  report(): ModelsReport {
    const uses = this.#uses.list();
    return {
      discoveries: this.#discoveries,
      models: [...this.#models.values()],
      autoSessions: this.#autoSessions,
      decisions: this.#routers.list(),
      uses,
      fallbacks: this.#fallbacks,
      limits: this.#limits,
      quotas: this.#quotas.list(),
      premium: premiumUses(
        uses,
        (model) => this.#infoOf(model),
        (model) => this.#discountOf(model),
      ),
    };
  }

  /** By id, else by the version that the service calls it. */
  #infoOf(model: string): ModelInfo | undefined {
    return this.#models.get(model) ?? [...this.#models.values()].find(({ version }) => version === model);
  }

  #discountOf(model: string): number {
    const { facts } = this.#autoSessions.findLast(({ facts }) => facts.discounts !== undefined) ?? {};
    return (
      facts?.discounts?.[model] ??
      this.#routers.list().findLast((d) => d.facts.discounts)?.facts.discounts?.[model] ??
      0
    );
  }

  #discover({ id, tsNs, class: callClass, host, service }: CallCompleted): void {
    if (service?.facts !== 'models') return;
    const ids = service.models.map((model) => model.id);
    // The cloud agent's list names models without saying what they cost: it adds, it does not overwrite.
    for (const model of service.models)
      if (callClass !== 'models.agents_swe' || !this.#models.has(model.id)) this.#remember(model);
    const before = this.#listed.get(callClass);
    if (callClass !== 'models.get') this.#listed.set(callClass, ids);
    if (this.#discoveries.length >= MAX_ENTRIES) return;
    this.#discoveries.push({
      call: id,
      atNs: tsNs,
      class: callClass,
      host,
      models: ids.length,
      added: before === undefined ? [] : ids.filter((model) => !before.includes(model)),
      removed: before === undefined ? [] : before.filter((model) => !ids.includes(model)),
    });
  }

  #remember(model: ModelInfo): void {
    if (this.#models.has(model.id) || this.#models.size < MAX_ENTRIES) this.#models.set(model.id, model);
  }

  #noteFallback({ id, tsNs, llm }: CallCompleted): void {
    const asked = llm?.request?.model;
    const answeredBy = llm?.answeredBy;
    if (asked == null || answeredBy === undefined || !isOtherModel(asked, answeredBy)) return;
    // A model may answer under the version that the list gives for it.
    if (this.#infoOf(asked)?.version === answeredBy || this.#fallbacks.length >= MAX_ENTRIES) return;
    this.#fallbacks.push({ call: id, atNs: tsNs, asked, answeredBy });
  }

  #noteLimit(call: CallCompleted): void {
    const code = call.llm?.error?.code ?? '';
    const { status } = call;
    if (status !== 429 && status !== 402 && !LIMIT_CODE.test(code)) return;
    if (this.#limits.length >= MAX_ENTRIES) return;
    this.#limits.push({
      call: call.id,
      atNs: call.tsNs,
      status,
      code: code === '' ? `http.${status}` : code,
      message: (call.llm?.error?.message ?? '').slice(0, MAX_MESSAGE_CHARS),
      model: call.llm?.model ?? null,
      ...limitOf(call.response.headers),
    });
  }
}
