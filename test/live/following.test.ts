// Processes that appear while the tracer runs: children, restarted hosts, replaced programs, libraries loaded later.
import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { ProcessEvent, TlsLibraryFact } from '../../src/model/index.ts';
import { type Client, startProgram } from '../kit/clients.ts';
import { expectByteExact } from '../kit/compare.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { kitPath, type Service, startService } from '../kit/service.ts';
import { Tracer, type TracerRun } from '../kit/tracer.ts';

const PYTHON = '/usr/bin/python3';

const startFamily = (service: Service, program: string, children: number, ...more: string[]): Promise<Client> =>
  startProgram(program, [
    kitPath('clients/family.mjs'),
    ...['--port', String(service.port), '--ca', service.ca],
    ...['--children', String(children), ...more],
  ]);

/** What a family says of its child of that number. */
const toldOf = (family: Client, field: string, number: number): Promise<Record<string, number>> =>
  family.process.until(() =>
    family.process.lines
      .map((line) => JSON.parse(line) as Record<string, number>)
      .find((said) => said[field] !== undefined && (said['number'] ?? said[field]) === number),
  );

/** Once the tracer has probes in a library of the process. */
const hooked = (tracer: Tracer, pid: number, ...more: readonly string[]): Promise<string> => {
  const words = [`"pid":${pid},`, '"hooked":true', ...more];
  return tracer.process.until(() => tracer.process.lines.find((line) => words.every((word) => line.includes(word))));
};

const processesOf = (run: TracerRun): readonly ProcessEvent[] =>
  run.events.filter((event): event is ProcessEvent => event.type === 'process');

/** What was last said about the TLS libraries of each process that had any. */
const lastFacts = (run: TracerRun): ReadonlyMap<number, readonly TlsLibraryFact[]> =>
  new Map(processesOf(run).flatMap((event) => (event.tls.length > 0 ? [[event.pid, event.tls] as const] : [])));

live('a child that sends its first request 50 ms after its start loses no byte of it', async () => {
  await using service = await startService();
  using dir = scratch();
  // As an editor's: nobody else runs this file, so that its probes are there before the child is.
  const editor = dir.path('editor');
  copyFileSync(process.execPath, editor);
  await using family = await startFamily(service, editor, 1, '--delay', '50');
  await using tracer = await Tracer.attach(family.pid, '--record', dir.path('session.trc'));
  family.go();
  // It lives until it has been looked at.
  await tracer.call('/kit/bytes');
  family.go();
  const run = await tracer.end();
  expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(1));
  expect([run.exitCode, run.calls.map((call) => [call.role, call.joinedLate])]).toEqual([
    EXIT.ok,
    [['extension-host', undefined]],
  ]);
  const child = run.calls[0]?.pid ?? 0;
  const [fact] = lastFacts(run).get(child) ?? [];
  expect([fact?.hookedAfterMs, fact?.mayHaveMissed]).toEqual([0, false]);
});

live('an extension host that is killed and started again ten times is traced each time, byte for byte', async () => {
  await using service = await startService();
  using dir = scratch();
  // This test runs the same program: probes are made for each of them.
  await using family = await startFamily(service, process.execPath, 10, '--told');
  await using tracer = await Tracer.attach(family.pid, '--record', dir.path('session.trc'));
  family.go();
  for (let number = 1; number <= 10; number++) {
    const { child = 0 } = await toldOf(family, 'child', number);
    await hooked(tracer, child);
    family.go();
    await toldOf(family, 'answered', number);
    family.go();
  }
  const run = await tracer.end();
  expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(10));
  const hosts = new Set(run.calls.map((call) => call.pid));
  expect(hosts.size).toBe(10);
  // By pid: a machine that is busy enough looks at a host for the first time when it has been killed, and then has no role for it.
  const exits = processesOf(run).filter((event) => event.phase === 'exited' && hosts.has(event.pid));
  expect(exits.map((event) => event.exitCode)).toEqual(Array.from({ length: 10 }, () => 128 + 9));
});

live('a libssl that is loaded long after the tracer came is hooked before its first use', async () => {
  await using service = await startService();
  using dir = scratch();
  const script = [
    'import json, sys',
    'print(json.dumps({"ready": True}), flush=True); sys.stdin.readline()',
    'import ssl, socket',
    'print(json.dumps({"loaded": True}), flush=True); sys.stdin.readline()',
    `context = ssl.create_default_context(cafile="${service.ca}")`,
    `raw = socket.create_connection(("127.0.0.1", ${service.port}))`,
    'conn = context.wrap_socket(raw, server_hostname="localhost")',
    'conn.sendall(b"GET /kit/bytes?n=5000 HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n")',
    'while conn.recv(65536): pass',
    'print(json.dumps({"done": True}), flush=True)',
  ].join('\n');
  await using python = await startProgram(PYTHON, ['-c', script]);
  await using tracer = await Tracer.attach(python.pid, '--wait', '--user', 'root', '--record', dir.path('session.trc'));
  python.go();
  await python.process.json('loaded');
  await hooked(tracer, python.pid);
  python.go();
  const run = await tracer.end();
  expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(1));
  const [fact] = lastFacts(run).get(python.pid) ?? [];
  expect([fact?.library, fact?.hooked, fact?.mayHaveMissed]).toEqual([expect.stringMatching(/^openssl/), true, false]);
  expect(typeof fact?.hookedAfterMs).toBe('number');
});

live('a curl that a traced shell starts is traced', async () => {
  await using service = await startService();
  using dir = scratch();
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=7000`;
  // Told where to go once it is hooked: on loopback it would be through 10 ms after its start (docs/processes.md says what is missed).
  const curl = `curl -s -o /dev/null --cacert ${service.ca} -K -`;
  const script = `echo '{"ready":true}'; read line; ${curl}; echo '{"done":true}'`;
  await using shell = await startProgram('/bin/sh', ['-c', script]);
  const recording = dir.path('session.trc');
  await using tracer = await Tracer.attach(shell.pid, '--wait', '--record', recording);
  shell.go();
  await tracer.process.until(() =>
    tracer.process.lines.find((line) => ['"comm":"curl"', '"hooked":true'].every((word) => line.includes(word))),
  );
  shell.process.child.stdin?.end(`url = "${url}"\n`);
  await shell.process.json('done');
  const run = await tracer.end();
  const roles = processesOf(run).map((event) => [event.role, event.comm]);
  expect(roles).toContainEqual(['curl', 'curl']);
  expectByteExact(await decodeRecording(recording), await service.exchanges(1));
});

live(
  'of a library that strangers map, each call of the target and of its short-lived children is seen once',
  async () => {
    await using service = await startService();
    using dir = scratch();
    await using stranger = new KitProcess(PYTHON, ['-c', 'import ssl, sys; print("up", flush=True); sys.stdin.read()']);
    await stranger.until(() => stranger.lines[0]);
    const url = `https://127.0.0.1:${service.port}/kit/bytes?n=`;
    const script = [
      'import json, ssl, subprocess, sys, urllib.request',
      `curl = ["curl", "-s", "-o", "/dev/null", "--cacert", "${service.ca}"]`,
      `context = ssl.create_default_context(cafile="${service.ca}")`,
      'context.check_hostname = False',
      'print(json.dumps({"ready": True}), flush=True); sys.stdin.readline()',
      'first = subprocess.Popen(curl + ["-K", "-"], stdin=subprocess.PIPE, text=True)',
      'print(json.dumps({"first": first.pid}), flush=True); sys.stdin.readline()',
      `first.communicate('url = "${url}1000"')`,
      `for i in range(2, 7): subprocess.run(curl + [f"${url}{i}000"])`,
      `urllib.request.urlopen("${url}7000", context=context).read()`,
      'print(json.dumps({"done": True}), flush=True)',
    ].join('\n');
    await using python = await startProgram(PYTHON, ['-c', script]);
    await using tracer = await Tracer.attach(python.pid, '--record', dir.path('session.trc'));
    python.go();
    const { first } = await python.process.json<{ first: number }>('first');
    // The first one makes probes for all; on a busy machine it may be through before.
    await hooked(tracer, first, '"comm":"curl"');
    python.go();
    await python.process.json('done');
    const run = await tracer.end();
    expect(run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
    expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(7));
    expect(run.exitCode).toBe(EXIT.ok);
  },
);

live('a process that replaces its program is known by the new one, without the libraries of the old', async () => {
  const script =
    'import ssl, os, sys; print("up", flush=True); sys.stdin.readline(); os.execv("/bin/sleep", ["sleep", "1"])';
  await using python = new KitProcess(PYTHON, ['-c', script]);
  await python.until(() => python.lines[0]);
  await using tracer = await Tracer.attach(python.pid);
  python.say('go');
  const run = await tracer.end();
  const told = processesOf(run).filter((event) => event.phase === 'exec');
  expect(told.map((event) => [event.comm, event.tls])).toContainEqual(['sleep', []]);
  expect(run.exitCode).toBe(EXIT.ok);
});

live('with --no-children the capture ends with its process, and children are not traced', async () => {
  await using service = await startService();
  await using family = await startFamily(service, process.execPath, 1);
  await using tracer = await Tracer.attach(family.pid, '--no-children');
  family.go();
  await toldOf(family, 'answered', 1);
  family.go();
  const run = await tracer.end();
  expect([run.calls, run.summary?.reason]).toEqual([[], 'all targets exited']);
});

live('a process whose TLS library cannot be hooked is named, with the connections that pass unseen', async () => {
  await using service = await startService();
  await using client = new KitProcess('gnutls-cli', ['--insecure', '-p', String(service.port), '127.0.0.1']);
  await client.until(() => client.lines.find((line) => line.includes('Handshake was completed')));
  await using tracer = await Tracer.attach(client.pid, '--wait', '--user', 'root');
  expect(await tracer.process.errorLine('gnutls')).toContain('cannot be hooked: 1 connection unseen');
});
