import { expect, it } from 'vitest';
import { createAlert } from '../../src/app/alert.ts';
import { NO_KEPT_RULES } from '../../src/privacy/index.ts';
import { call, connectionEvent, plainCall, summary } from '../sinks/events.ts';

const KEY = new Uint8Array(32);
const TOKEN = ['ghp', 'a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi'].join('_');
const leaky = (id: string, host = 'api.githubcopilot.com') =>
  call({
    id,
    host,
    request: { bytes: 1, decodedBytes: 1, headers: [] },
    llm: {
      ...call().llm!,
      request: {
        ...call().llm!.request!,
        messages: [{ role: 'user', parts: [{ kind: 'text', text: `use ${TOKEN} please` }] }],
      },
    },
  });

it('is silent unless asked', () => {
  expect(createAlert(undefined, KEY, NO_KEPT_RULES)(leaky('c1.1'), undefined)).toEqual([]);
});

it('tells of a secret once for each receiver', () => {
  const alert = createAlert({ least: 'medium', allowHosts: [] }, KEY, NO_KEPT_RULES);
  const told = [leaky('c1.1'), leaky('c1.2'), leaky('c2.1', 'api.openai.com'), summary()].map((event) =>
    alert(event, undefined),
  );
  expect(told.map((findings) => findings.map(({ rule, call: id }) => `${rule} ${id}`))).toEqual([
    ['github-token c1.1'],
    [],
    ['github-token c2.1'],
    [],
  ]);
});

it('keeps to the severity that was asked for', () => {
  const foreign = leaky('c1.1', 'evil.test');
  const rules = (least: 'medium' | 'high') =>
    createAlert({ least, allowHosts: [] }, KEY, NO_KEPT_RULES)(foreign, undefined).map(({ rule }) => rule);
  expect(rules('medium')).toEqual(['foreign-host', 'github-token']);
  expect(rules('high')).toEqual(['github-token']);
});

it('tells of outdated TLS at the first call over it, once for a host', () => {
  const alert = createAlert({ least: 'medium', allowHosts: [] }, KEY, NO_KEPT_RULES);
  const OLD = { tlsVersion: '1.1', tlsCipher: 'TLS_RSA_WITH_AES_128_CBC_SHA' };
  const events = [
    connectionEvent({ id: 'c1', ...OLD }),
    connectionEvent({ id: 'c2', tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256' }),
    plainCall({ id: 'c2.1', host: 'github.com' }),
    plainCall({ id: 'c1.1', host: 'github.com' }),
    plainCall({ id: 'c1.2', host: 'github.com' }),
  ];
  expect(
    events.flatMap((event) => alert(event, undefined)).map(({ rule, where, call: id }) => [rule, where, id]),
  ).toEqual([['weak-tls', 'handshake: TLS 1.1 TLS_RSA_WITH_AES_128_CBC_SHA to github.com', 'c1.1']]);
});
