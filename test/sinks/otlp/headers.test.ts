import { expect, test } from 'vitest';
import { headersOf } from '../../../src/sinks/otlp/headers.ts';

const of = (text: string) => headersOf({ OTEL_EXPORTER_OTLP_HEADERS: text });

test('headers come from the environment, percent-encoded', () => {
  expect(of('Authorization=Basic%20YQ%3D%3D, x-scope=a=b,broken')).toEqual({
    authorization: 'Basic YQ==',
    'x-scope': 'a=b',
  });
  expect(headersOf({})).toEqual({});
});

test.each(['a=%zz-hunter2', 'a=hunter2%0d%0ab', 'a b=hunter2', 'connection=hunter2', 'TE=hunter2'])(
  '%j is refused without its value',
  (text) => {
    expect(() => of(text)).toThrow(expect.objectContaining({ code: 'E_OTLP_ADDRESS' }));
    expect(() => of(text)).not.toThrow('hunter2');
  },
);
