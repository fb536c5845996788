// What of a recording is to be shown: all, a conversation (`2`), a turn of it (`2.1`), or a call (`c3.5`, `c3.5.2`).

import { TracerError } from '../../errors.ts';
import type { Conversation, Grouping } from '../../insight/index.ts';

export type Selection =
  | { readonly what: 'all' }
  | { readonly what: 'conversation'; readonly conversation: number }
  | { readonly what: 'turn'; readonly conversation: number; readonly turn: number }
  | { readonly what: 'call'; readonly id: string };

/** Throws E_CLI_USAGE for a word that is none of these. */
export function parseSelection(word: string | undefined): Selection {
  if (word === undefined) return { what: 'all' };
  if (/^c\d+\.\d+(\.\d+)?$/.test(word)) return { what: 'call', id: word };
  const match = /^(\d+)(?:\.(\d+))?$/.exec(word);
  if (match === null) {
    const what = `${word} is no conversation (1), turn (1.2) or call (c3.5)`;
    throw new TracerError('E_CLI_USAGE', { what, command: 'show' });
  }
  const conversation = Number(match[1]);
  return match[2] === undefined
    ? { what: 'conversation', conversation }
    : { what: 'turn', conversation, turn: Number(match[2]) };
}

/** Throws E_CLI_USAGE when the recording has no such conversation or turn. */
export function findConversation({ conversations }: Grouping, number: number, turn?: number): Conversation {
  const found = conversations.find((conversation) => conversation.number === number);
  if (found !== undefined && (turn === undefined || found.turns[turn - 1] !== undefined)) return found;
  throw nothing(turn === undefined ? `conversation ${number}` : `turn ${number}.${turn}`);
}

export const noCall = (id: string): TracerError =>
  new TracerError('E_CLI_USAGE', {
    what: `there is no call ${id} in this recording: \`tracer show FILE --list\` lists every call`,
    command: 'show',
  });

export const noListOfCall = (id: string): TracerError =>
  new TracerError('E_CLI_USAGE', {
    what: `--list takes a conversation (1) or a turn (1.2), not a call: leave out --list to see ${id}`,
    command: 'show',
  });

const nothing = (what: string): TracerError =>
  new TracerError('E_CLI_USAGE', {
    what: `there is no ${what} in this recording: \`tracer conversations\` lists what there is`,
    command: 'show',
  });
