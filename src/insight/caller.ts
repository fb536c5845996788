// Who set a call off, and under which mode: what accounting asks of a chat call.

import { textOf } from '../dialects/index.ts';
import { type CallCompleted, headerValue } from '../model/index.ts';

export type Initiator = 'user' | 'agent' | 'unknown';

/** `X-Initiator`, or inside a WebSocket the request's own field: the headers of its upgrade say nothing of later calls. */
export function initiatorOf({ request, llm }: CallCompleted): Initiator {
  const word = textOf(llm?.request?.parameters['initiator']) || (headerValue(request.headers, 'x-initiator') ?? '');
  return word === 'user' || word === 'agent' ? word : 'unknown';
}

/** Auto mode shows in this header alone; the body names a concrete model. */
export const isAutoMode = ({ request }: CallCompleted): boolean =>
  headerValue(request.headers, 'copilot-session-token') !== undefined;

/** A chat call that GitHub counts: not one with an own key, no completion, no suggestion. */
export const isCopilotChat = ({ class: callClass }: CallCompleted): boolean => callClass.startsWith('chat.');

/** True when `answered` is another model than `asked`: a name with a date or a version added is the same model. */
export function isOtherModel(asked: string, answered: string): boolean {
  const [a, b] = [plain(asked), plain(answered)];
  return !a.startsWith(b) && !b.startsWith(a);
}

/** Vendors' prefixes and the choice between dot and dash differ between the names of one model. */
const plain = (model: string): string => model.toLowerCase().replace(/^.*\//, '').replace(/[._]/g, '-');
