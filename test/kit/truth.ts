// The ground truth: what the stand-in service saw and sent, one line per finished exchange.
import { readFile } from 'node:fs/promises';

export interface ByteTruth {
  readonly bytes: number;
  readonly sha256: string;
}

export interface BodyTruth extends ByteTruth {
  readonly decodedBytes: number;
  readonly decodedSha256: string;
  readonly coding: string;
}

/** What a tracer must report about a call. */
export interface Expectation {
  readonly class: string;
  readonly llm?: {
    readonly dialect: string;
    readonly model: string;
    readonly text: string;
    readonly thinking?: string;
    readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly argumentsText: string }[];
    readonly usage: { readonly input: number; readonly cached: number; readonly output: number };
    readonly finishReason: string;
  };
}

/** An HTTP exchange: bodies on the wire, and without their content coding. */
export interface ExchangeTruth {
  readonly kind: 'exchange';
  readonly httpVersion: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly host: string;
  /** Names and values in turn, as sent, pseudo-fields included. */
  readonly headers: readonly string[];
  readonly request: BodyTruth;
  readonly status: number;
  readonly response: BodyTruth;
  /** False when the client went away before the answer was complete. */
  readonly isFinished: boolean;
  /** Event streams of /kit/sse: how many events, and the digest of their data joined by newlines. */
  readonly sse?: { readonly events: number; readonly sha256: string };
  readonly expect?: Expectation;
}

/** One request message and its answer messages on a WebSocket. */
export interface SocketTruth {
  readonly kind: 'websocket';
  readonly path: string;
  readonly headers: readonly string[];
  readonly compress: boolean;
  readonly request: ByteTruth;
  /** All answer messages together. */
  readonly response: ByteTruth;
  readonly messages: number;
  readonly expect: Expectation;
}

export type Truth = ExchangeTruth | SocketTruth;

/** What is behind the last line's end is still being written. */
export async function readTruth(file: string): Promise<Truth[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Truth);
}

export const isExchange = (line: Truth): line is ExchangeTruth => line.kind === 'exchange';
