// Compares what was captured with what the service saw and sent, byte for byte by length and hash.
import { expect } from 'vitest';
import type { CallEvent } from '../../src/model/index.ts';
import type { DecodedExchange } from './decode.ts';
import type { ExchangeTruth } from './truth.ts';

/** One side in a form that a failing test shows well. */
interface Comparable {
  readonly what: string;
  readonly status: number | null;
  readonly request: string;
  readonly response: string;
}

const size = (bytes: number, decodedBytes: number, sha256: string): string =>
  `${bytes} wire, ${decodedBytes} decoded, ${sha256.slice(0, 16)}`;

const fromTruth = (line: ExchangeTruth): Comparable => ({
  what: `${line.method} ${line.path}`,
  status: line.status,
  request: size(line.request.bytes, line.request.decodedBytes, line.request.decodedSha256),
  // An event stream is reported as its events: their data is compared, and the body's sizes.
  response: size(line.response.bytes, line.response.decodedBytes, line.sse?.sha256 ?? line.response.decodedSha256),
});

const fromCapture = (exchange: DecodedExchange): Comparable => ({
  what: `${exchange.method} ${exchange.path}`,
  status: exchange.status,
  request: size(exchange.request.bytes, exchange.request.decodedBytes, exchange.request.sha256),
  response: size(exchange.response.bytes, exchange.response.decodedBytes, exchange.response.sha256),
});

const sorted = (list: readonly Comparable[]): Comparable[] => [...list].sort((a, b) => (a.what < b.what ? -1 : 1));

/** Every exchange of the truth was captured once and no other; not one byte differs. */
export function expectByteExact(captured: readonly DecodedExchange[], truth: readonly ExchangeTruth[]): void {
  expect(sorted(captured.map(fromCapture))).toEqual(sorted(truth.map(fromTruth)));
  const unfinished = captured.filter((exchange) => exchange.end !== 'complete' || exchange.lostBytes > 0);
  expect(unfinished.map(({ method, path, end, lostBytes }) => `${method} ${path} ${end}, ${lostBytes} lost`)).toEqual(
    [],
  );
}

const line = (what: string, status: number | null, request: number[], response: number[]): string =>
  `${what} ${status} request ${request.join('/')} response ${response.join('/')}`;

/** The printed calls have the sizes and states of the truth. */
export function expectSameSizes(calls: readonly CallEvent[], truth: readonly ExchangeTruth[]): void {
  const printed = calls.map(({ method, path, status, request, response }) =>
    line(`${method} ${path}`, status, [request.bytes, request.decodedBytes], [response.bytes, response.decodedBytes]),
  );
  const expected = truth.map(({ method, path, status, request, response }) =>
    line(`${method} ${path}`, status, [request.bytes, request.decodedBytes], [response.bytes, response.decodedBytes]),
  );
  expect(printed.sort()).toEqual(expected.sort());
  const unfinished = calls.filter((call) => call.captured !== 'whole' || call.end !== 'complete');
  expect(unfinished.map(({ id, path, end, captured }) => `${id} ${path} ${end}, ${captured}`)).toEqual([]);
}
