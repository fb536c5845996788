// Which endpoint answers a request. First match wins; what nobody knows gets 404.
import { COPILOT_ROUTES } from './copilot.mjs';
import { GENERIC_ROUTES } from './generic.mjs';

/**
 * One request, wholly read, and the reply to fill.
 * @typedef {object} Visit
 * @property {string} method
 * @property {string} host
 * @property {URLSearchParams} query
 * @property {Buffer} body
 * @property {{ bytes: number, sha256: string, decodedBytes: number, decodedSha256: string, coding: string }} bodyTruth
 * @property {import('./reply.mjs').Reply} reply
 * @property {RegExpMatchArray} match
 */

/**
 * @typedef {object} Route
 * @property {string} [method] any when absent
 * @property {RegExp} path without the query
 * @property {(visit: Visit) => Promise<void>} answer
 */

const ROUTES = [...COPILOT_ROUTES, ...GENERIC_ROUTES];

/** @param {string} method @param {string} path @returns {{ route: Route, match: RegExpMatchArray } | undefined} */
export function findRoute(method, path) {
  for (const route of ROUTES) {
    const match = path.match(route.path);
    if (match && (route.method ?? method) === method) return { route, match };
  }
  return undefined;
}
