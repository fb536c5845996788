// `tracer doctor`: the start-up checks as a list, what the kernel offers beyond the least that is needed, what surrounds the
// tracer, and whether each editor and Copilot client that runs could be traced.

import {
  discoverProcess,
  type KnownFiles,
  kernelFeatures,
  openCallersCache,
  type PlaceFact,
  placeFacts,
  type RunningClient,
  readChildren,
  runChecks,
  runningClients,
  treeOf,
} from '../capture/index.ts';
import { callersCache } from './discovery-cache.ts';

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
  // The addon is needed, and rights, to ask the kernel.
  const isMissing = checks.some((check) => check.state === 'missing');
  const features = isMissing ? [] : kernelFeatures().map(featureLine);
  return [...checks, ...features, ...placeFacts().map(factLine), ...clientLines()];
}

const featureLine = (feature: { name: string; ok: boolean; seen: string; without: string }): DoctorLine => ({
  name: feature.name,
  state: feature.ok ? 'ok' : 'reduced',
  seen: feature.ok ? feature.seen : `${feature.seen}: ${feature.without}`,
});

const factLine = ({ name, ok, seen, remedy }: PlaceFact): DoctorLine => ({
  name,
  state: ok ? 'ok' : 'reduced',
  seen,
  ...(remedy !== '' && { remedy }),
});

function clientLines(): readonly DoctorLine[] {
  const clients = runningClients();
  if (clients.length === 0) return [{ name: 'clients', state: 'ok', seen: 'no editor or Copilot client runs now' }];
  const children = readChildren();
  const options = { known: new Map() satisfies KnownFiles, cache: openCallersCache(callersCache()) };
  return clients.map((client) => clientLine(client, treeOf(client.pid, children), options));
}

function clientLine(
  client: RunningClient,
  pids: readonly number[],
  options: Parameters<typeof discoverProcess>[1],
): DoctorLine {
  const found = pids.map((pid) => discoverProcess(pid, options)).flatMap((answer) => (answer.ok ? [answer.value] : []));
  const hooked = found.filter((one) => one.images.length > 0);
  const unhooked = new Set(
    found.flatMap((one) => (one.images.length > 0 ? [] : one.unsupported.map((i) => i.library))),
  );
  const but = unhooked.size === 0 ? '' : `; not seen: ${[...unhooked].join(', ')}`;
  const name = client.product;
  const who = `pid ${client.pid}, ${pids.length} process${pids.length === 1 ? '' : 'es'}`;
  if (found.length === 0)
    return { name, state: 'reduced', seen: `${who}: not readable`, remedy: 'Run it as root: `sudo tracer doctor`.' };
  if (hooked.length > 0) {
    return {
      name,
      state: unhooked.size === 0 ? 'ok' : 'reduced',
      seen: `${who}: ${hooked.length} can be traced${but}`,
    };
  }
  const remedy = 'Look at the reasons in `tracer ps`; `tracer attach --wait` hooks a library that is loaded later.';
  return { name, state: 'reduced', seen: `${who}: none can be traced${but}`, remedy };
}
