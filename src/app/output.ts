// From settings to an opened sink on a descriptor. The file, when one is named, belongs to the user as whom we run.

import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { readingReason, TracerError } from '../errors.ts';
import { type NatsSink, openMetrics, openNats, SINKS, type SinkHost } from '../sinks/index.ts';
import { unwritable } from './failed-output.ts';
import { type FanoutSink, MAX_BACKLOG_BYTES } from './fanout.ts';
import { openOtlpOutput } from './otlp-output.ts';
import { openTextOutput, type TextOutput } from './text-output.ts';
import type { OutputSettings } from './types.ts';

export const STDOUT_FD = 1;

/** Opens a file that the user named for output. Throws E_FILE_UNWRITABLE. */
export function openOutputFile(path: string, user: string): number {
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    return openSync(path, flags, 0o600);
  } catch (cause) {
    throw unwritable(path, user, cause);
  }
}

/** Resolves when the backlog is empty, or at the deadline: a reader that is stuck must not keep us from ending. */
function drain(output: TextOutput, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, deadlineMs);
    void output.below(0).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Where text goes: a sink's host, the queue behind it, and what closes the file. */
export interface TextSink {
  readonly host: SinkHost;
  readonly output: TextOutput;
  close(): void;
}

/**
 * Opens standard output or the file that the settings name. `onError` is called once, when the output can take no more (a
 * closed pipe, a full disk). Throws E_FILE_UNWRITABLE.
 */
export function openTextSink(
  settings: OutputSettings,
  user: string,
  onError: (error: NodeJS.ErrnoException) => void,
): TextSink {
  const fd = settings.outputFile === undefined ? STDOUT_FD : openOutputFile(settings.outputFile, user);
  const output = openTextOutput(fd, onError);
  const host: SinkHost = {
    write: (text) => output.write(text),
    drain: (deadlineMs) => drain(output, deadlineMs),
    columns: () => (settings.columns === undefined ? null : (process.stdout.columns ?? settings.columns)),
    colour: settings.color,
  };
  const close = (): void => {
    if (fd !== STDOUT_FD) closeSync(fd);
  };
  return { host, output, close };
}

/** Opens the sink that the settings name; parameters as in `openTextSink`. */
export async function openOutput(
  settings: OutputSettings,
  user: string,
  onError: (error: NodeJS.ErrnoException) => void,
): Promise<FanoutSink> {
  const { host, output, close } = openTextSink(settings, user, onError);
  const kind = SINKS.find((sink) => sink.name === settings.format);
  if (kind === undefined) throw new Error(`no sink named ${settings.format}`);
  const sink = await kind.open({ verbose: settings.verbose, explain: settings.explain === true }, host);
  return {
    name: kind.name,
    accept: (event) => sink.accept(event),
    backlogBytes: () => output.backlogBytes(),
    drained: () => output.below(MAX_BACKLOG_BYTES / 2),
    flush: (deadlineMs) => sink.flush(deadlineMs),
    close: async () => {
      await sink.close();
      close();
    },
  };
}

/** A token of the user's own. Throws E_METRICS_TOKEN. */
function readToken(path: string): string {
  try {
    const token = readFileSync(path, 'utf8').trim();
    if (token !== '') return token;
  } catch (cause) {
    const reason = readingReason(cause);
    throw new TracerError('E_METRICS_TOKEN', { path, reason }, { cause });
  }
  throw new TracerError('E_METRICS_TOKEN', { path, reason: 'it is empty' });
}

/** Metrics as one more sink. `bus`: whose counts are shown, too. Throws E_METRICS_LISTEN, E_METRICS_TOKEN. */
async function openScrape(settings: OutputSettings, bus: NatsSink | null): Promise<readonly FanoutSink[]> {
  const { metrics, log } = settings;
  if (metrics === undefined) return [];
  const own = metrics.tokenFile === undefined ? undefined : readToken(metrics.tokenFile);
  const counts = bus === null ? null : () => ({ ...bus.counts() });
  const sink = await openMetrics({ port: metrics.port, token: own }, { bus: counts });
  log.info(`metrics at ${sink.url}${own === undefined ? `, Authorization: Bearer ${sink.token}` : ''}`);
  return [
    {
      name: 'metrics',
      accept: (event) => sink.accept(event),
      counters: (counters) => sink.counters(counters),
      backlogBytes: () => 0,
      drained: async () => {},
      flush: (deadlineMs) => sink.flush(deadlineMs),
      close: () => sink.close(),
    },
  ];
}

/** The bus as one more sink. Throws what prevents it from starting; a server that is away is no such thing. */
function busSink(sink: NatsSink | null): readonly FanoutSink[] {
  if (sink === null) return [];
  return [
    {
      name: 'NATS',
      begin: (session) => sink.begin(session),
      accept: (event) => sink.accept(event),
      backlogBytes: () => sink.backlogBytes(),
      isBehind: () => sink.isBehind(),
      drained: () => sink.drained(),
      lostEvents: () => sink.counts().dropped,
      flush: (deadlineMs) => sink.flush(deadlineMs),
      close: () => sink.close(),
    },
  ];
}

/** All sinks of a session: what is shown, and the bus when there is one. Parameters as in `openOutput`. */
export async function openOutputs(
  settings: OutputSettings,
  user: string,
  onError: (error: NodeJS.ErrnoException) => void,
): Promise<readonly FanoutSink[]> {
  const bus = settings.nats === undefined ? null : await openNats(settings.nats, { log: settings.log });
  const scrape = await openScrape(settings, bus);
  const collector = openOtlpOutput(settings);
  return [await openOutput(settings, user, onError), ...busSink(bus), ...scrape, ...collector];
}
