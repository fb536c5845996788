// Door of the folder: what the commands `conversations` and `show` say of a recording.

import { BRIEF, FULL, NO_TEXTS } from '../../insight/index.ts';
import { counted, painter } from '../../sinks/index.ts';
import type { AnalysisSettings } from '../analysis.ts';
import type { SessionResult } from '../types.ts';
import { callListJson, callListText, callsWithin } from './call-list.ts';
import { callText } from './call-text.ts';
import { bootJson, conversationBrief, conversationJson, looseJson, turnJson } from './json.ts';
import { listText } from './list-text.ts';
import { findConversation, noCall, noListOfCall, parseSelection } from './select.ts';
import { readStory, type Story } from './story.ts';
import { conversationText, turnText } from './transcript.ts';

/** What a command says: lines for people, values for `--json`. */
export interface Answer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

/** How wide and how colourful the text may be. */
export interface TextView {
  /** Null: not a terminal, nothing is shortened. */
  readonly columns: number | null;
  readonly color: boolean;
}

export async function conversations(file: string, settings: AnalysisSettings, view: TextView): Promise<Answer> {
  const story = await readStory(file, settings, BRIEF);
  const text = listText(story, { columns: view.columns, paint: painter(view.color) });
  return { text, json: listJson(story), ...story.result };
}

function* listJson({ grouping, boots, wall }: Story): Generator<unknown> {
  for (const boot of boots) yield bootJson(boot, wall);
  for (const conversation of grouping.conversations) yield conversationBrief(conversation, wall);
  for (const loose of grouping.loose) yield looseJson(loose);
}

export interface ShowSettings extends AnalysisSettings {
  /** `1`, `1.2`, `c3.5`; undefined: all conversations. */
  readonly what: string | undefined;
  readonly explain: boolean;
  /** Every call in one line instead. */
  readonly list?: boolean | undefined;
}

/** Throws E_CLI_USAGE when there is no such thing. */
export async function show(file: string, settings: ShowSettings, view: TextView): Promise<Answer> {
  if (settings.list === true) return callList(file, settings, view);
  const selection = parseSelection(settings.what);
  const callId = selection.what === 'call' ? selection.id : undefined;
  const story = await readStory(file, { ...settings, callId }, FULL);
  const { grouping, wall, whyOf, call, result } = story;
  const style = { wall, whyOf, paint: painter(view.color) };
  switch (selection.what) {
    case 'call':
      if (call === null) throw noCall(selection.id);
      return { text: callText(call, style.paint), json: [call], ...result };
    case 'turn': {
      const conversation = findConversation(grouping, selection.conversation, selection.turn);
      const at = selection.turn - 1;
      const turn = conversation.turns.slice(at, at + 1);
      const json = turn.map((one) => turnJson(conversation, one, at, wall, whyOf));
      return { text: turnText(conversation, at, style), json, ...result };
    }
    case 'conversation': {
      const conversation = findConversation(grouping, selection.conversation);
      const json = [conversationJson(conversation, wall, whyOf)];
      return { text: conversationText(conversation, style), json, ...result };
    }
    case 'all':
      return { text: allText(story, style), json: allJson(story), ...result };
  }
}

async function callList(file: string, settings: ShowSettings, view: TextView): Promise<Answer> {
  const selection = parseSelection(settings.what);
  if (selection.what === 'call') throw noListOfCall(selection.id);
  const { list: all, grouping, result } = await readStory(file, settings, NO_TEXTS);
  let list = all;
  if (selection.what !== 'all') {
    const turn = selection.what === 'turn' ? selection.turn : undefined;
    const { number } = findConversation(grouping, selection.conversation, turn);
    list = callsWithin(all, grouping, turn === undefined ? `${number}` : `${number}.${turn}`);
  }
  const text = callListText(list, grouping, { columns: view.columns, paint: painter(view.color) });
  return { text, json: callListJson(list, grouping), ...result };
}

function* allText({ grouping }: Story, style: Parameters<typeof conversationText>[1]): Generator<string> {
  if (grouping.conversations.length === 0) yield 'No conversation in this recording.';
  for (const [at, conversation] of grouping.conversations.entries()) {
    if (at > 0) yield '';
    yield* conversationText(conversation, style);
  }
  const count = grouping.loose.reduce((sum, loose) => sum + loose.count, 0);
  if (count > 0) yield `\n${counted(count, 'LLM call')} beside conversations; --list names every call`;
}

function* allJson({ grouping, wall, whyOf }: Story): Generator<unknown> {
  for (const conversation of grouping.conversations) yield conversationJson(conversation, wall, whyOf);
}
