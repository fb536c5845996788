// Compares what was captured with what the service saw and sent, byte for byte by length and hash.
import { expect } from 'vitest';
import type { CallEvent } from '../../src/model/index.ts';
import type { DecodedExchange } from './decode.ts';
import { comparable, unfinished } from './differences.ts';
import type { ExchangeTruth } from './truth.ts';

/** Every exchange of the truth was captured once and no other; not one byte differs. */
export function expectByteExact(captured: readonly DecodedExchange[], truth: readonly ExchangeTruth[]): void {
  const sides = comparable(captured, truth);
  expect(sides.captured).toEqual(sides.truth);
  expect(unfinished(captured)).toEqual([]);
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
  const odd = calls.filter((call) => call.captured !== 'whole' || call.end !== 'complete');
  expect(odd.map(({ id, path, end, captured }) => `${id} ${path} ${end}, ${captured}`)).toEqual([]);
}
