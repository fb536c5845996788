// Finds calls that are copies of others: an agent asks a server on this machine (the editor's, classes `local.*`, or a gateway of
// the user's own), which asks the service with the same messages. Both were captured, one question left the machine. The local
// hop is the copy; of a hop that was captured on both sides, the side that ends later.
//
// LIMITS: a hop that ends before the answer of the service was read to its end is not recognised; what a server changes in the
// messages makes it another question.

import { roleOfHost, splitAuthority } from '../copilot/index.ts';
import type { CallCompleted, CallId, CallStarted } from '../model/index.ts';
import { fingerprintsOf, fingerprintText } from './fingerprint.ts';

interface Seen {
  readonly id: CallId;
  readonly isLocal: boolean;
  readonly served: boolean;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly asked: string;
}

/** Completed calls that a later one may be a copy of: both end within moments. */
const MAX_SEEN = 200;

const isLocal = ({ class: callClass, host }: Pick<CallStarted, 'class' | 'host'>): boolean =>
  callClass.startsWith('local.') || (host !== null && roleOfHost(splitAuthority(host).host) === 'loopback');

/** Told of every call in the order of the session; costs nothing as long as no local server was asked. */
export class CopyFinder {
  readonly #seen: Seen[] = [];
  #isNeeded = false;

  started(call: CallStarted): void {
    if (isLocal(call)) this.#isNeeded = true;
  }

  /** The call of which `call` is a copy; undefined when it is none. */
  completed(call: CallCompleted): CallId | undefined {
    const request = call.llm?.request;
    if (!this.#isNeeded || request === undefined || request.messages.length === 0) return undefined;
    const asked = fingerprintText(fingerprintsOf(request.messages).join('\n'));
    const found = isLocal(call) ? this.#original(call, asked) : undefined;
    this.#seen.push({
      id: call.id,
      isLocal: isLocal(call),
      served: call.served,
      startNs: call.startNs,
      endNs: call.tsNs,
      asked,
    });
    if (this.#seen.length > MAX_SEEN) this.#seen.shift();
    return found?.id;
  }

  /**
   * At the same time, on another connection, with the same question; the service's before the other side of the hop. Two questions
   * that were asked on the same side are two.
   */
  #original({ id, startNs, tsNs, served }: CallCompleted, asked: string): Seen | undefined {
    const same = this.#seen.filter(
      (one) =>
        one.asked === asked && one.id.connection !== id.connection && one.startNs <= tsNs && one.endNs >= startNs,
    );
    return same.findLast((one) => !one.isLocal) ?? same.findLast((one) => one.served !== served);
  }
}
