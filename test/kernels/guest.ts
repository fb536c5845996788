// Runs inside the machine, as root on the kernel under test: what the kernel offers, whether its verifier takes every program,
// then the whole path on real clients, byte for byte against what the stand-in service saw. Each result is a line `@@ {json}`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BpfObject, features } from '@ebpf-tools/node';
import { EXIT } from '../../src/errors.ts';
import { type Client, startNodeClient, startProgram } from '../kit/clients.ts';
import { decodeRecording } from '../kit/decode.ts';
import { comparable, unfinished } from '../kit/differences.ts';
import { KitProcess } from '../kit/process.ts';
import { kitPath, type Service, startService } from '../kit/service.ts';
import { runTracer, Tracer, type TracerRun } from '../kit/tracer.ts';
import { hideBtf } from './hide-btf.ts';

const say = (line: object): void => console.log(`@@ ${JSON.stringify(line)}`);
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const problems: string[] = [];

/** Names what is not as it should be. */
function check(what: string, seen: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (a !== b) problems.push(`${what}: ${a}, not ${b}`);
}

async function step(name: string, run: () => Promise<object | undefined>): Promise<void> {
  problems.length = 0;
  const startedMs = performance.now();
  const more = await run().catch((error: unknown) => {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return {};
  });
  const seconds = Number(((performance.now() - startedMs) / 1000).toFixed(1));
  say({ step: name, ok: problems.length === 0, seconds, ...more, ...(problems.length > 0 && { problems }) });
}

/** Loads one of the two objects as a capture would; the kernel's verifier judges every program. */
function verify(file: string, haveCookie: boolean, wantPeer: boolean): object {
  const object = BpfObject.open(at(`build/bpf/${file}`), {
    rodata: { have_cookie: haveCookie ? 1 : 0, want_peer: wantPeer ? 1 : 0 },
  });
  try {
    object.load();
    const sizes = object.programs.map((program) => Number(program.stats().verifiedInstructions));
    return { file, programs: sizes.length, largest: Math.max(...sizes) };
  } catch (error) {
    const { message, log = '' } = error as Error & { log?: string };
    problems.push(`${file}: ${message}\n${log.split('\n').slice(-60).join('\n')}`);
    return { file };
  } finally {
    object.close();
  }
}

/** Of a kernel without it only the given processes are traced. */
const HAS_BTF = existsSync('/sys/kernel/btf/vmlinux');
const SCOPE: readonly string[] = HAS_BTF ? [] : ['--no-children'];

let seenExchanges = 0;

/** In a folder where everybody may write: the tracer does not stay root. */
const scratchFile = (name: string): string => `/tmp/${name}.trc`;

/** A replay says what the live run said. Not held at every step: on an emulated machine each start takes its time. */
async function checkReplay(run: TracerRun, recording: string): Promise<void> {
  const replayed = await runTracer('replay', recording, '--json');
  check('replayed calls', replayed.callLines, run.callLines);
  check('exit code of the replay', replayed.exitCode, EXIT.ok);
}

const REPLAYED: ReadonlySet<string> = new Set(['curl-h2', 'node-https'].map(scratchFile));

async function judge(service: Service, run: TracerRun, recording: string, count: number): Promise<object> {
  check('exit code', run.exitCode, EXIT.ok);
  if (run.summary === undefined) throw new Error(`no summary; stderr: ${run.stderr}`);
  const truth = (await service.exchanges(seenExchanges + count)).slice(seenExchanges);
  seenExchanges += truth.length;
  const captured = await decodeRecording(recording);
  const sides = comparable(captured, truth);
  check('exchanges of the service', truth.length, count);
  check('bytes', sides.captured, sides.truth);
  check('unfinished', unfinished(captured), []);
  check('lost', run.summary.lost, { out: 0, in: 0, incompleteCalls: 0 });
  if (REPLAYED.has(recording)) await checkReplay(run, recording);
  const { processes, connections, bytes } = run.summary;
  if (problems.length > 0) problems.push(`stderr: ${run.stderr}`);
  return { calls: run.calls.length, exact: captured.length, processes, connections, bytes };
}

/** Attaches to a client that waits, lets it go, and holds what was captured to what the service saw. */
async function trace(service: Service, client: Client, name: string, count: number) {
  const recording = scratchFile(name);
  await using tracer = await Tracer.attach(client.pid, '--record', recording, ...SCOPE);
  client.go();
  return await judge(service, await tracer.end(), recording, count);
}

const URLS = ['/kit/bytes?n=100000&seed=3', '/kit/text?n=400000&coding=gzip', '/kit/sse?n=50&seed=7'];

/** Curl reads its orders from standard input, so that it waits with its library in place. */
function curlOrders(service: Service): string {
  const urls = URLS.map((path) => `url = "https://127.0.0.1:${service.port}${path}"\noutput = /dev/null`);
  const post = `next\nurl = "https://127.0.0.1:${service.port}/kit/mirror"\noutput = /dev/null\ndata-binary = "@/usr/bin/curl"`;
  const common = `silent\ncacert = ${service.ca}`;
  return `${common}\n${urls.join('\n')}\n${post}\n${common}\n`;
}

async function curl(service: Service, version: string, name: string, flags = SCOPE): Promise<object> {
  await using child = new KitProcess('curl', [version, '-K', '-']);
  const isLinked = (): boolean => readFileSync(`/proc/${child.pid}/maps`, 'utf8').includes('libssl');
  while (!isLinked()) await new Promise((resolve) => setTimeout(resolve, 20));
  const recording = scratchFile(name);
  await using tracer = await Tracer.attach(child.pid, '--record', recording, ...flags);
  child.child.stdin?.end(curlOrders(service));
  return await judge(service, await tracer.end(), recording, URLS.length + 1);
}

async function nodeClient(service: Service, name: string, workload: string, count: number): Promise<object> {
  await using client = await startNodeClient(name, service, { workload });
  return await trace(service, client, name, count);
}

/** The child's program is hooked after the tracer gave root up; it waits until that is done. */
async function laterChild(service: Service): Promise<object> {
  const place = `--port ${service.port} --ca ${service.ca} --workload codings`;
  const node = `KIT_GO_FILE=/tmp/go node ${kitPath('clients/node-https.mjs')} ${place} >/dev/null`;
  const script = `echo '{"ready":true}'; read line; ${node}; echo '{"done":true}'`;
  await using shell = await startProgram('/bin/sh', ['-c', script]);
  const recording = scratchFile('later-child');
  await using tracer = await Tracer.attach(shell.pid, '--wait', '--record', recording, '--log-level', 'debug');
  shell.go();
  await tracer.process.errorLine('in /usr/bin/node for');
  writeFileSync('/tmp/go', '');
  return await judge(service, await tracer.end(), recording, 5);
}

async function runCurl(service: Service): Promise<object> {
  const recording = scratchFile('run');
  const url = `https://127.0.0.1:${service.port}/kit/bytes?n=70000&seed=8`;
  // Not root any more, it may not read the authority's file.
  const command = ['curl', '-s', '-k', '-o', '/dev/null', url];
  const run = await runTracer('run', '--json', ...SCOPE, '--record', recording, '--', ...command);
  return await judge(service, run, recording, 1);
}

/** What a kernel without type information can do: the given process, not its children. */
async function withoutBtf(service: Service): Promise<object> {
  const refused = await runTracer('attach', '--json', '--pid', String(service.pid));
  check('exit code without type information', refused.exitCode, EXIT.noBtf);
  check('its remedy', refused.stderr.includes('or add --no-children'), true);
  return curl(service, '--http2', 'without-btf', ['--no-children']);
}

async function tooOld(): Promise<object> {
  const sleeper = new KitProcess('busybox', ['sleep', '600']);
  const refused = await runTracer('attach', '--json', '--pid', String(sleeper.pid));
  await sleeper.stop('SIGKILL');
  check('exit code', refused.exitCode, EXIT.oldKernel);
  check('its text', refused.stderr.includes(`kernel ${release()} is too old`), true);
  return { said: refused.stderr };
}

async function doctor(): Promise<object> {
  const run = await runTracer('doctor');
  return { exitCode: run.exitCode, said: run.stdout.split('\n') };
}

async function main(): Promise<void> {
  const found = features();
  say({ facts: { ...found, capabilities: undefined, arch: process.arch, node: process.version } });
  await step('doctor', doctor);
  if (!found.ringBuffer.ok) return step('refused', tooOld);
  const cookie = found.bpfCookie.ok;
  await step('verifier', async () => ({ objects: [verify('tracer-nobtf.bpf.o', cookie, false)] }));
  if (HAS_BTF) {
    await step('verifier, with type information', async () => ({
      objects: [verify('tracer.bpf.o', cookie, false), verify('tracer.bpf.o', cookie, true)],
    }));
  }
  await using service = await startService();
  await step('curl, HTTP/1.1', () => curl(service, '--http1.1', 'curl-h1'));
  await step('curl, HTTP/2', () => curl(service, '--http2', 'curl-h2'));
  await step('node https', () => nodeClient(service, 'node-https', 'codings', 5));
  await step('node http2, 200 at once', () => nodeClient(service, 'node-http2', 'parallel', 200));
  await step('run', () => runCurl(service));
  if (HAS_BTF) {
    await step('later child', () => laterChild(service));
    hideBtf();
  }
  await step('without type information', () => withoutBtf(service));
}

await main();
say({ done: true });
