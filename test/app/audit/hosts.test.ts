import { expect, it } from 'vitest';
import { HostLog } from '../../../src/app/audit/hosts.ts';
import { createJudge } from '../../../src/app/audit/known-hosts.ts';
import { call, connectionEvent } from '../../sinks/events.ts';

it('counts connections and calls by host, unknown hosts first, those without a call included', () => {
  const log = new HostLog(createJudge(['ok.test']));
  for (const sni of ['api.githubcopilot.com', 'db.corp.test', 'ok.test', undefined])
    log.connection(connectionEvent(sni === undefined ? {} : { sni }));
  for (const host of ['api.githubcopilot.com:443', 'API.githubcopilot.com', null]) log.call(call({ host }));
  log.call(call({ host: 'me.test', served: true }));
  expect(log.rows()).toEqual([
    { host: 'db.corp.test', known: false, connections: 1, calls: 0, tls: [] },
    { host: 'api.githubcopilot.com', known: true, connections: 1, calls: 2, tls: [] },
    { host: 'ok.test', known: true, connections: 1, calls: 0, tls: [] },
  ]);
});
