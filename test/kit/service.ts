// Starts the stand-in service as a process of its own and reads its ground truth.
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { fileURLToPath } from 'node:url';
import { KitProcess } from './process.ts';
import { type ExchangeTruth, isExchange, readTruth, type Truth } from './truth.ts';

interface Listening {
  readonly port: number;
  readonly pid: number;
  readonly dir: string;
  readonly ca: string;
  readonly key: string;
  readonly truth: string;
}

export interface Service extends Listening, AsyncDisposable {
  readonly process: KitProcess;
  /** All finished exchanges, once there are at least `count` (clients end before the service has logged). */
  settled(count: number): Promise<Truth[]>;
  /** The HTTP exchanges among them. */
  exchanges(count: number): Promise<ExchangeTruth[]>;
  /** Those below /kit/, once there are `count`: browsers ask for more than they are told to. */
  kitExchanges(count: number): Promise<ExchangeTruth[]>;
  /** Lets answers of /kit/hold go on to their end. */
  release(): Promise<void>;
}

const POLL_MS = 20;
const PATIENCE_MS = Number(process.env.KIT_PATIENCE_MS ?? 20_000);

export const kitPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const isKit = (line: Truth): line is ExchangeTruth => isExchange(line) && line.path.startsWith('/kit/');

/** Waits until the log has `count` lines that are wanted; then those that it has. */
async function settledTruth<T extends Truth>(
  file: string,
  count: number,
  isWanted: (line: Truth) => line is T,
): Promise<T[]> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const lines = (await readTruth(file)).filter(isWanted);
    if (lines.length >= count) return lines;
    if (Date.now() > deadlineMs)
      throw new Error(`the service logged ${lines.length} exchanges, ${count} were expected`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const releaseHeld = ({ port, ca }: Listening): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/kit/release', ca: readFileSync(ca), agent: false };
    get(options, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

export async function startService(): Promise<Service> {
  const process_ = new KitProcess(process.execPath, [kitPath('service.mjs')]);
  const listening = await process_.json<Listening>('standIn');
  const isAny = (_: Truth): _ is Truth => true;
  const settled = (count: number): Promise<Truth[]> => settledTruth(listening.truth, count, isAny);
  return {
    ...listening,
    process: process_,
    settled,
    exchanges: async (count) => (await settled(count)).filter(isExchange),
    kitExchanges: (count) => settledTruth(listening.truth, count, isKit),
    release: () => releaseHeld(listening),
    [Symbol.asyncDispose]: async () => {
      await process_.stop();
    },
  };
}
