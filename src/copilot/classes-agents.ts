// Rows of the classification table: cloud agents, their sessions and memory. Evidence tags are explained in docs/classes.md.

import type { ClassRule } from './rule.ts';
import { GET, keeps, POST, rule } from './service-rule.ts';

/** Cloud agents, sessions, memory. Longer paths before their prefixes. */
export const AGENTS: readonly ClassRule[] = [
  keeps(
    'sent',
    rule(
      'agents.memory',
      ['capi', 'any'],
      /^\/agents\/swe\/internal\/memory\//,
      'S',
      'medium',
      'memory kept at GitHub, read and written',
    ),
  ),
  rule(
    'agents.swe.custom_agents',
    ['capi', 'any'],
    /^\/agents\/swe\/custom-agents\//,
    'S',
    'medium',
    'custom agents of an organisation',
  ),
  rule(
    'agents.swe.enabled',
    ['capi', 'any'],
    /^\/agents\/swe\/(v1\/)?jobs\/.*\/enabled$/,
    'S P',
    'medium',
    'asks whether the cloud agent is on',
  ),
  rule(
    'agents.swe.job',
    ['capi', 'any'],
    /^\/agents\/swe\/(v1\/)?jobs\//,
    'P L',
    'high',
    'job of the cloud coding agent',
  ),
  rule(
    'sessions.logs',
    ['capi'],
    /^\/agents\/sessions\/[^/]+\/logs$/,
    'P',
    'high',
    'log of a cloud agent session',
    GET,
  ),
  keeps(
    'sent',
    rule(
      'sessions.sync.events',
      ['capi'],
      /^\/agents\/sessions\/[^/]+\/events$/,
      'V',
      'medium',
      'uploads events of a local session',
      POST,
    ),
  ),
  rule('sessions.sync.create', ['capi'], /^\/agents\/sessions$/, 'V', 'medium', 'announces a local session', POST),
  rule('sessions.list', ['capi'], /^\/agents\/sessions$/, 'P L', 'high', 'cloud agent sessions', GET),
  rule('sessions.get', ['capi'], /^\/agents\/sessions\/.+/, 'P L', 'high', 'one cloud agent session', GET),
  rule(
    'analytics.query',
    ['capi'],
    /^\/agents\/analytics\/query$/,
    'V',
    'medium',
    'SQL over synchronised sessions',
    POST,
  ),
  rule(
    'analytics.delete',
    ['capi'],
    /^\/agents\/analytics\/delete$/,
    'V',
    'medium',
    'deletes a synchronised session',
    POST,
  ),
  rule(
    'analytics.backfill',
    ['capi'],
    /^\/agents\/analytics\/backfill$/,
    'V',
    'medium',
    'fills in older sessions',
    POST,
  ),
  rule('agents.list', ['capi'], /^\/agents$/, 'S', 'medium', 'directory of remote agents', GET),
  rule('skills.list', ['capi'], /^\/skills$/, 'S', 'medium', 'skills of remote agents', GET),
];
