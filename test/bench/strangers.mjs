// What a process that maps a hooked TLS library but is not traced pays, and what each way to attach costs the tracer: probes
// for all processes that map the file (the kernel side then looks the pid up and leaves) or for one process. Each figure has
// its own bare measurement right before it, so that drift of the machine cancels out; medians over the pairs.
// Run it by itself: node test/bench/strangers.mjs [seconds]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTACH_TYPE, BpfObject, closeLinks } from '@ebpf-tools/node';
import { makeCertificate } from '../kit/service/certificate.mjs';
import { Child } from './child.mjs';
import { at, compileClient, scratchDir } from './place.mjs';

const MESSAGE_BYTES = 1024;
const CALIBRATION_ROUNDS = 1000;
const PAIRS = 7;
const CALLS_PER_ROUND = 4;
const LIBSSL = `/proc/PID/root/usr/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu/libssl.so.3`;

/** @param {number[]} values */
const median = (values) => /** @type {number} */ ([...values].sort((a, b) => a - b)[values.length >> 1]);

/** Roles of the functions that carry data: each has a program for entry and one for return. */
const ROLES = /** @type {const} */ (['read', 'write', 'read_ex', 'write_ex']);

/** Where the tracer hooks libssl, by role. @param {string} path @returns {Promise<Map<string, number[]>>} */
async function placesIn(path) {
  const { openFileSource } = await import(at('build/js/capture/discover/source.js'));
  const { findingsOf } = await import(at('build/js/capture/discover/process.js'));
  const source = openFileSource(path).value;
  const { findings } = findingsOf(source, undefined);
  source.close();
  const hooks = /** @type {{ role: string, attachOffset: number }[]} */ (findings[0].hooks);
  return new Map(ROLES.map((role) => [role, hooks.filter((hook) => hook.role === role).map((hook) => hook.attachOffset)]));
}

/** @param {BpfObject} bpf @param {string} path @param {Map<string, number[]>} places @param {number} pid -1: all */
function attach(bpf, path, places, pid) {
  const links = [];
  for (const kind of ['exit', 'enter']) {
    for (const [role, offsets] of places) {
      if (offsets.length === 0) continue;
      const spec = { path, offsets, cookies: offsets.map(() => 1n), pid, retprobe: kind === 'exit' };
      links.push(bpf.program(`tls_${role}_${kind}`).attachUprobeMulti(spec));
    }
  }
  return links;
}

/** @param {Child} subject @param {number} rounds @returns {Promise<number>} µs per call */
const measure = async (subject, rounds) => {
  subject.say(String(rounds));
  return (await subject.next('ns')).ns / rounds / CALLS_PER_ROUND / 1000;
};

async function main() {
  const seconds = Number(process.argv[2] ?? 20);
  const { cert, key } = makeCertificate('Benchmark', ['localhost']);
  const files = [join(scratchDir, 'cert.pem'), join(scratchDir, 'key.pem')];
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key, { mode: 0o600 });
  const program = compileClient('ping-pong');
  const [stranger, target] = [0, 1].map(() => new Child(program, [...files, String(MESSAGE_BYTES)]));
  await Promise.all([stranger.next('ready'), target.next('ready')]);
  const names = ROLES.flatMap((role) => [`tls_${role}_enter`, `tls_${role}_exit`]);
  const bpf = BpfObject.open(at('build/bpf/tracer.bpf.o'), {
    attachTypes: Object.fromEntries(names.map((name) => [name, ATTACH_TYPE.uprobeMulti])),
  }).load();
  const path = LIBSSL.replace('PID', String(target.pid));
  const places = await placesIn(path);
  if ([...places.values()].flat().length === 0) throw new Error(`nothing to hook in ${path}`);
  const rounds = Math.round((seconds * 1e6) / (await measure(stranger, CALIBRATION_ROUNDS)) / CALLS_PER_ROUND / (PAIRS * 6));
  /** @type {Record<string, number>} */
  const result = {};
  for (const [way, pid] of /** @type {const} */ ([['all', -1], ['one', target.pid]])) {
    const bare = [];
    const added = [];
    const attachMs = [];
    const detachMs = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      bare.push(await measure(stranger, rounds));
      let startMs = performance.now();
      const links = attach(bpf, path, places, pid);
      attachMs.push(performance.now() - startMs);
      added.push((await measure(stranger, rounds)) - /** @type {number} */ (bare.at(-1)));
      startMs = performance.now();
      await closeLinks(links);
      detachMs.push(performance.now() - startMs);
    }
    Object.assign(result, {
      [`${way}BareUsPerCall`]: median(bare),
      [`${way}AddedUsPerCall`]: median(added),
      [`${way}AttachMs`]: median(attachMs),
      [`${way}DetachMs`]: median(detachMs),
    });
  }
  bpf.close();
  await Promise.all([stranger.stop(), target.stop()]);
  for (const [name, value] of Object.entries(result)) console.log(name.padEnd(20), value.toFixed(2));
}

await main();
