// What --verbose shows below a call's line: the id that `tracer show` and `tracer curl` take, the last user message, tool
// results in short, the answer, tool calls, usage.

import type { CallEvent, LlmRequest, LlmSummary, Message, Part, Usage } from '../../model/index.ts';
import type { Paint } from './paint.ts';
import { counted, exact } from './quantity.ts';
import { visible, visibleLines } from './visible.ts';
import { inCells, shorten } from './width.ts';

/** A prompt can hold whole files; the terminal shows its beginning, NDJSON has it all. */
const MAX_LINES = 40;
const MAX_LINE_CELLS = 2_000;
const MAX_ONE_LINE_CELLS = 160;
const LABEL_CELLS = 9;
const INDENT = '  ';

/** A label at the left, text at the right of it, line by line. */
function block(label: string, text: string, paint: Paint): string[] {
  const all = visibleLines(text);
  const shown = all.slice(0, MAX_LINES).map((line) => shorten(line, MAX_LINE_CELLS));
  if (all.length > MAX_LINES) shown.push(paint(`… ${counted(all.length - MAX_LINES, 'more line')}`, 'dim'));
  return shown.map((line, i) =>
    `${INDENT}${paint(inCells(i === 0 ? label : '', LABEL_CELLS, 'left'), 'dim')} ${line}`.trimEnd(),
  );
}

const oneLine = (text: string): string => shorten(visible(text.replace(/\s+/g, ' ').trim()), MAX_ONE_LINE_CELLS);

/** A part of a message in words; `null` for parts that say nothing to a reader. */
function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'image':
      return `[image ${part.mediaType}${part.bytes === undefined ? '' : `, ${exact(part.bytes)} bytes`}]`;
    case 'document':
      return `[document ${part.name ?? part.mediaType}]`;
    case 'thinking':
      return `[thinking, ${exact(part.text.length)} characters]`;
    case 'tool-call':
      return `[tool call ${part.name}]`;
    case 'tool-result':
      return `[tool result${part.isError === true ? ', error' : ''}: ${oneLine(part.parts.map(partText).join(' '))}]`;
    case 'reference':
      return `[reference ${part.type}]`;
    case 'other':
      return `[${part.type}]`;
  }
}

const isAsked = (message: Message): boolean =>
  message.role === 'user' && message.parts.some((part) => part.kind !== 'tool-result');

/** The last message of the user, and the tool results that came after it. */
function promptLines(request: LlmRequest, paint: Paint): string[] {
  const asked = request.messages.findLastIndex(isAsked);
  const text = asked < 0 ? (request.prompt ?? '') : (request.messages[asked]?.parts.map(partText).join('\n') ?? '');
  const results = request.messages
    .slice(asked + 1)
    .flatMap((message) => message.parts)
    .filter((part) => part.kind === 'tool-result')
    .map(partText);
  return [
    ...(text === '' ? [] : block('prompt', text, paint)),
    ...(results.length === 0 ? [] : block('results', results.join('\n'), paint)),
  ];
}

/** Usage fields in the order in which they add up, with their names. */
const USAGE_WORDS: readonly (readonly [keyof Usage, string])[] = [
  ['input', 'in'],
  ['cached', 'cached'],
  ['cacheWrite', 'written to cache'],
  ['output', 'out'],
  ['reasoning', 'reasoning'],
  ['acceptedPrediction', 'predicted, accepted'],
  ['rejectedPrediction', 'predicted, rejected'],
  ['total', 'total'],
];

function usageText(llm: LlmSummary): string {
  const counts = USAGE_WORDS.filter(([field]) => llm.usage[field] !== undefined);
  const words = counts.map(([field, word]) => `${exact(llm.usage[field] ?? 0)} ${word}`);
  return [...words, ...(llm.finishReason === null ? [] : [`finish ${llm.finishReason}`])].join(' · ');
}

/** Which rule named the call, and how sure it is. */
export function explanation(call: CallEvent, paint: Paint): string[] {
  const confidence = call.confidence === undefined ? '' : ` (confidence ${call.confidence})`;
  return block('named by', `${call.evidence}${confidence}`, paint);
}

/** Lines below the call's own line; for a call without a model its id only. */
export function callDetails(call: CallEvent, paint: Paint): string[] {
  const llm = call.llm;
  if (llm === undefined) return block('call', call.id, paint);
  const usage = usageText(llm);
  return [
    ...block('call', call.id, paint),
    ...(llm.request === undefined ? [] : promptLines(llm.request, paint)),
    ...(llm.thinking === undefined || llm.thinking === '' ? [] : block('thinking', llm.thinking, paint)),
    ...(llm.text === '' ? [] : block('answer', llm.text, paint)),
    ...llm.toolCalls.flatMap((tool) => block('tool', `${tool.name} ${oneLine(tool.argumentsText)}`, paint)),
    ...(usage === '' ? [] : block('usage', usage, paint)),
    '',
  ];
}
