// The models of a session as plain JSON values, one line per subject. docs/insight.md is their manual.

import type { ModelsReport } from '../../insight/index.ts';
import type { CallId } from '../../model/index.ts';
import { callIdText } from '../call-events.ts';
import type { WallTime } from '../wall.ts';

/** `call` and `atNs` become text. */
function placed<T extends { readonly call: CallId; readonly atNs: bigint }>(
  { call, atNs, ...rest }: T,
  wall: WallTime,
) {
  return { call: callIdText(call), time: wall.iso(atNs), ...rest };
}

export function* modelsJson(report: ModelsReport, wall: WallTime): Generator<unknown> {
  for (const discovery of report.discoveries) yield { type: 'discovery', ...placed(discovery, wall) };
  for (const model of report.models) yield { type: 'model', ...model };
  for (const { facts, ...session } of report.autoSessions)
    yield { type: 'auto-session', ...placed(session, wall), ...facts };
  for (const { facts, answer, ...decision } of report.decisions) {
    const answered = answer && { answer: { ...answer, call: callIdText(answer.call) } };
    yield { type: 'router', ...placed(decision, wall), ...facts, ...answered };
  }
  for (const use of report.uses) yield { type: 'use', ...use };
  for (const fallback of report.fallbacks) yield { type: 'fallback', ...placed(fallback, wall) };
  for (const limit of report.limits) yield { type: 'limit', ...placed(limit, wall) };
  for (const { name, snapshots, points } of report.quotas)
    yield { type: 'quota', name, snapshots, points: points.map((point) => placed(point, wall)) };
  for (const premium of report.premium) yield { type: 'premium', ...premium };
}
