// `tracer doctor`: the start-up checks as a list, and what the kernel offers beyond the least that is needed.

import { kernelFeatures, runChecks } from '../capture/index.ts';

/** One line: what was looked at, whether it is fine, what was seen, and how to mend it. Plain JSON. */
export interface DoctorLine {
  readonly name: string;
  readonly state: 'ok' | 'reduced' | 'missing';
  readonly seen: string;
  readonly remedy?: string;
}

/** `missing` lines mean that tracing cannot work; `reduced` ones that something is left out. */
export function examine(): readonly DoctorLine[] {
  const checks = runChecks({ command: 'attach', followChildren: true }).map((check): DoctorLine => {
    const state = check.ok ? 'ok' : check.optional ? 'reduced' : 'missing';
    return { name: check.name, state, seen: check.seen, ...(check.error !== null && { remedy: check.error.hint }) };
  });
  const isMissing = checks.some((check) => check.state === 'missing');
  return isMissing ? checks : [...checks, ...kernelFeatures().map(featureLine)];
}

const featureLine = (feature: { name: string; ok: boolean; seen: string; without: string }): DoctorLine => ({
  name: feature.name,
  state: feature.ok ? 'ok' : 'reduced',
  seen: feature.ok ? feature.seen : `${feature.seen}: ${feature.without}`,
});
