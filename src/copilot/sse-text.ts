// Splits the text of an event stream whose content type was not known (joined late, head lost), so that its answer can
// still be decoded. WHATWG HTML §9.2.6, without ids and retry times. Streams that are known as such come as messages.

import type { StreamMessage } from '../dialects/index.ts';

/** True when a text begins like an event stream. */
export const looksLikeSse = (text: string): boolean => /^\s*(data|event|id|retry)?:/.test(text.slice(0, 256));

export function* sseMessages(text: string): Generator<StreamMessage> {
  let event = '';
  let data: string[] = [];
  for (const line of lines(text)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  // A cut stream ends without an empty line; what it had is still worth reading.
  if (data.length > 0) yield { event, data: data.join('\n') };
}

/** Lines without their ends, one at a time: a list of all would double the memory. */
function* lines(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, text[to - 1] === '\r' && to > from ? to - 1 : to);
    from = to + 1;
  }
}
