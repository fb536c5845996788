// What attach, run and replay share at the edge of the process: flags become settings, Ctrl-C becomes an orderly stop,
// a result becomes an exit code.

import {
  type CaptureSettings,
  checkOtlpAddress,
  type OutputSettings,
  readRulesFile,
  type SessionResult,
} from '../app/index.ts';
import { TracerError } from '../errors.ts';
import { createLog, reportProblem, warnIfRevealed } from './log.ts';
import { natsSettings } from './nats-options.ts';
import type { CaptureFlags, LogFlags, OutputFlags } from './options.ts';
import { newPassphrase } from './passphrase.ts';

/** First signal: stop and print the summary. Second: end at once (the kernel detaches all probes by itself). */
export function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) return controller.abort(signal);
      // The second one ends it at once, by the kernel: `process.exit` would wait for a thread that opens a FIFO.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
  return controller.signal;
}

export function useColor(flags: Pick<OutputFlags, 'color' | 'output'>): boolean {
  if (flags.color !== 'auto') return flags.color === 'always';
  const noColor = process.env['NO_COLOR'];
  return flags.output === undefined && process.stdout.isTTY === true && (noColor === undefined || noColor === '');
}

const outputSettings = (command: string, flags: OutputFlags & LogFlags): OutputSettings => ({
  command,
  format: flags.json === true ? 'ndjson' : 'terminal',
  outputFile: flags.output,
  verbose: flags.verbose === true,
  explain: flags.explain === true,
  rules: readRulesFile(flags.rules),
  color: useColor(flags),
  columns: flags.output === undefined && process.stdout.isTTY ? process.stdout.columns : undefined,
  reveal: flags.reveal === true,
  noBodies: flags.bodies === false,
  maxBodyBytes: flags.maxBody,
  filter: flags.filter,
  nats: natsSettings(command, flags),
  ...(flags.alert !== undefined && {
    alert: { least: flags.alert === true ? 'medium' : flags.alert, allowHosts: flags.allowHost ?? [] },
  }),
  log: createLog(flags.logLevel),
  stop: stopOnSignals(),
});

/** Runs `body` with the settings made from the flags and sets the exit code from what it returns. */
export async function withOutput(
  command: string,
  flags: OutputFlags & LogFlags,
  body: (settings: OutputSettings) => Promise<SessionResult>,
): Promise<void> {
  const settings = outputSettings(command, flags);
  warnIfRevealed(settings.log, flags.reveal);
  const result = await body(settings);
  process.exitCode = result.exitCode;
  reportProblem(result.problem, flags);
}

const suppliedSettings = ({ symbols = [], offset = [] }: CaptureFlags): Pick<CaptureSettings, 'supplied'> =>
  symbols.length + offset.length === 0 ? {} : { supplied: { symbolFiles: symbols, offsets: offset } };

/** Asked for before anything is attached. */
async function encryptionOf(command: string, flags: CaptureFlags): Promise<CaptureSettings['encryption']> {
  const { record, recordEncrypt } = flags;
  if (recordEncrypt === undefined) return undefined;
  if (record === undefined) throw new TracerError('E_CLI_USAGE', { what: '--record-encrypt needs --record', command });
  return recordEncrypt === true ? { passphrase: await newPassphrase(command) } : { recipient: recordEncrypt };
}

/** Secrets leave this machine only when that was asked for twice. */
function otlpSettings(command: string, flags: CaptureFlags & OutputFlags): Pick<CaptureSettings, 'otlp'> {
  const { otlp, otlpContent, reveal, revealToOtlp, bodies } = flags;
  const usage = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command });
  if (otlp === undefined && otlpContent === true) throw usage('--otlp-content needs --otlp');
  if (otlp === undefined) return {};
  if (reveal === true && revealToOtlp !== true)
    throw usage('--reveal with --otlp would send secrets: add --reveal-to-otlp if that is what you want');
  checkOtlpAddress(otlp);
  return { otlp: { url: otlp, content: otlpContent === true && bodies !== false } };
}

/** The same for a live capture. */
export async function runCapture(
  command: string,
  flags: OutputFlags & LogFlags & CaptureFlags,
  body: (settings: CaptureSettings) => Promise<SessionResult>,
): Promise<void> {
  if (flags.rotate !== undefined && flags.record === undefined)
    throw new TracerError('E_CLI_USAGE', { what: '--rotate needs --record', command });
  const otlp = otlpSettings(command, flags);
  const encryption = await encryptionOf(command, flags);
  await withOutput(command, flags, (output) =>
    body({
      ...output,
      recordFile: flags.record,
      encryption,
      rotation: flags.rotate ?? null,
      durationMs: flags.duration,
      maxCalls: flags.maxCalls,
      ringBytes: flags.ringSize,
      user: flags.user,
      followChildren: flags.children,
      peers: flags.peer,
      stats: flags.stats === true,
      ...(flags.metrics !== undefined && { metrics: { port: flags.metrics, tokenFile: flags.metricsToken } }),
      ...otlp,
      ...suppliedSettings(flags),
    }),
  );
}
