import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { Script } from '../kit/records.ts';
import { recordingOf } from '../kit/session-file.ts';

test('what a file says of itself and of its calls cannot steer a terminal', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-info-'));
  const [file, output] = [join(dir, 'a.trc'), join(dir, 'said.txt')];
  const script = new Script();
  const connection = script.connection();
  connection.out('GET / HTTP/1.1\r\nHost: h.example\r\n\r\n').in('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const json = JSON.stringify({ class: 'acme\u001b]0;x\u0007.chat', llm: { dialect: 'openai-chat' } });
  const place = { tsNs: script.tick(), ageNs: 1n, exchange: 3, message: 1 };
  script.add({ kind: 'call-facts', ...connection.key, ...place, json });
  writeFileSync(file, recordingOf(script.records));
  await createProgram().parseAsync(['node', 'tracer', 'info', file, '-o', output]);
  expect(readFileSync(output, 'utf8').split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^plaintext /),
      'found      1 process, 1 connection, 2 calls',
      '       1  acme␛]0;x␇.chat',
      '       1  http.other',
    ]),
  );
});
