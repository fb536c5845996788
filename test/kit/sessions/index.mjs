// THE table of golden sessions: folder name below test/sessions/ and script.
import * as agent from './agent.mjs';
import * as cacheBreak from './cache-break.mjs';
import * as completions from './completions.mjs';
import * as every from './every.mjs';
import { references } from './references.mjs';
import * as start from './start.mjs';

/** @type {Readonly<Record<string, () => import('./build.mjs').Session>>} */
export const SESSIONS = {
  boot: start.boot,
  'auto-router': start.autoRouter,
  'agent-turn': agent.agentTurn,
  'session-store': agent.sessionStore,
  'moved-model': agent.movedModel,
  subagent: agent.subagent,
  retry: agent.retry,
  websocket: agent.websocket,
  references,
  'env-completion': completions.insideEnv,
  'recent-edit-leak': completions.recentEdit,
  'cache-break': cacheBreak.timestamp,
  'every-class': every.everyClass,
  'every-kind': every.everyKind,
};
