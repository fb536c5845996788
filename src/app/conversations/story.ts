// A recording read as a story: conversations, starts of the editor, and (when one is asked for) one call whole.

import { type Boot, BootGrouper, createCallGrouper, type Grouping, type TextLimits } from '../../insight/index.ts';
import type { CallEvent, CallId } from '../../model/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import { callIdText } from '../call-events.ts';
import type { SessionResult } from '../types.ts';
import { WallTime } from '../wall.ts';
import { CallList } from './call-list.ts';

export interface Story {
  readonly grouping: Grouping;
  readonly boots: readonly Boot[];
  readonly wall: WallTime;
  /** The call that was asked for; null when it is not in the recording. */
  readonly call: CallEvent | null;
  /** Every call in short, when they were asked for. */
  readonly list: CallList;
  /** Rule and confidence by call, when they were asked for. */
  readonly whyOf: (call: CallId) => string | undefined;
  readonly result: SessionResult;
}

export interface StorySettings extends AnalysisSettings {
  /** Id of a call that is wanted whole. */
  readonly callId?: string | undefined;
  /** Keep every call in short. */
  readonly list?: boolean | undefined;
  /** Keep which rule named each call. */
  readonly explain?: boolean | undefined;
}

/** Explanations that are kept: about 200 bytes each. */
const MAX_WHYS = 100_000;

export async function readStory(file: string, settings: StorySettings, limits: TextLimits): Promise<Story> {
  const grouper = createCallGrouper(limits);
  const boots = new BootGrouper();
  const wall = new WallTime();
  const whys = new Map<string, string>();
  const list = new CallList();
  let found: CallEvent | null = null;
  const { exitCode, problem } = await analyse(file, settings, {
    call: ({ event, call }: AnalysedCall) => {
      wall.learn(event);
      grouper.accept(call);
      boots.accept(call);
      if (event.id === settings.callId) found = event;
      if (settings.list === true) list.add(event);
      if (settings.explain === true && whys.size < MAX_WHYS) whys.set(event.id, whyText(event));
    },
  });
  const whyOf = (call: CallId): string | undefined => whys.get(callIdText(call));
  const result = { exitCode, problem };
  return { grouping: grouper.grouping, boots: boots.list(), wall, call: found, list, whyOf, result };
}

export const whyText = ({ evidence, confidence }: CallEvent): string =>
  confidence === undefined ? evidence : `${evidence} (confidence ${confidence})`;
