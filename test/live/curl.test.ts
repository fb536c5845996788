// curl over the system's libssl, started by `tracer run`: captured from its first byte, byte for byte, over both versions.
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { expectByteExact, expectSameSizes } from '../kit/compare.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch } from '../kit/live.ts';
import { type Service, startService } from '../kit/service.ts';
import { runTracer, type TracerRun } from '../kit/tracer.ts';

const FIVE_MB = 5_000_000;

/** Runs curl with one `url` block after another, without its progress meter and without checking the certificate. */
const traceCurl = (recording: string, version: string, args: readonly string[]): Promise<TracerRun> =>
  runTracer('run', '--json', '--record', recording, '--', 'curl', '-s', '-k', version, ...args);

const expectExact = async (service: Service, run: TracerRun, recording: string, count: number): Promise<void> => {
  const truth = await service.exchanges(count);
  expect(truth).toHaveLength(count);
  expect([run.summary?.lost, run.exitCode]).toEqual([{ out: 0, in: 0, incompleteCalls: 0 }, EXIT.ok]);
  expectByteExact(await decodeRecording(recording), truth);
  expectSameSizes(run.calls, truth);
};

live.each([
  ['--http1.1', '1.1'],
  ['--http2', '2'],
])('curl %s: 5 MB both ways, gzip, 2,000 events', async (version, shown) => {
  await using service = await startService();
  using dir = scratch();
  const url = (path: string): string => `https://127.0.0.1:${service.port}${path}`;
  writeFileSync(dir.path('upload'), Buffer.alloc(FIVE_MB, 'upload '), { mode: 0o644 });
  const requests = [
    [
      '--data-binary',
      `@${dir.path('upload')}`,
      '-H',
      'content-type: application/octet-stream',
      '-H',
      'expect:',
      url('/kit/echo'),
    ],
    [url(`/kit/bytes?n=${FIVE_MB}&seed=51`)],
    ['--compressed', url('/kit/text?n=300000&coding=gzip')],
    [url('/kit/sse?n=2000&seed=52')],
  ];
  const args = requests.flatMap((request, i) => [
    ...(i > 0 ? ['--next', '-s', '-k', version] : []),
    '-o',
    '/dev/null',
    ...request,
  ]);
  const run = await traceCurl(dir.path('session.trc'), version, args);
  await expectExact(service, run, dir.path('session.trc'), requests.length);
  expect(new Set(run.calls.map((call) => call.httpVersion))).toEqual(new Set([shown]));
});

live.each(['--http1.1', '--http2'])('curl %s: 200 transfers in parallel', async (version) => {
  await using service = await startService();
  using dir = scratch();
  const lines = Array.from({ length: 200 }, (_, i) => {
    const url = `https://127.0.0.1:${service.port}/kit/bytes?n=${20_000 + i}&seed=${i + 1}`;
    return `url = "${url}"\noutput = "/dev/null"`;
  });
  writeFileSync(dir.path('urls'), lines.join('\n'), { mode: 0o644 });
  const run = await traceCurl(dir.path('session.trc'), version, [
    '-Z',
    '--parallel-max',
    '200',
    '-K',
    dir.path('urls'),
  ]);
  await expectExact(service, run, dir.path('session.trc'), 200);
});
