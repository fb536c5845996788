// What was captured beside what the service saw and sent, in a form that shows well where they differ.
import type { DecodedExchange } from './decode.ts';
import type { ExchangeTruth } from './truth.ts';

/** An exchange by lengths and hashes. */
export interface Comparable {
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

/** Both in the same order. */
export const comparable = (
  captured: readonly DecodedExchange[],
  truth: readonly ExchangeTruth[],
): { readonly captured: readonly Comparable[]; readonly truth: readonly Comparable[] } => ({
  captured: sorted(captured.map(fromCapture)),
  truth: sorted(truth.map(fromTruth)),
});

/** Exchanges that did not come to their end whole, in words. */
export const unfinished = (captured: readonly DecodedExchange[]): readonly string[] =>
  captured
    .filter((exchange) => exchange.end !== 'complete' || exchange.lostBytes > 0)
    .map(({ method, path, end, lostBytes }) => `${method} ${path} ${end}, ${lostBytes} lost`);
