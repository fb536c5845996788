// The floor: probes that only count, at the very places and in the very way in which the tracer hooks a process. The places
// are the tracer's own findings, for a name says little: Node exports SSL_read and never calls it. Hits are counted, so that
// a floor that does not fire can be told from a cheap one.
import { ATTACH_TYPE, BpfObject, features } from '@ebpf-tools/node';

const { discoverProcess } = await import('../../build/js/capture/index.js');

/** Roles whose functions carry data: both probes. The others fire once per connection and are of no account here. */
const ROLES = ['read', 'write', 'read_ex', 'write_ex', 'open', 'seal', 'seal_old'];

/** @param {number} pid @returns {{ path: string, offsets: number[] }[]} by library */
const placesIn = (pid) => {
  const found = discoverProcess(pid);
  if (!found.ok) throw new Error(`process ${pid} cannot be looked into: ${found.detail}`);
  return found.value.images.map((/** @type {any} */ { attachPath, hooks }) => ({
    path: attachPath,
    offsets: hooks
      .filter((/** @type {any} */ hook) => ROLES.includes(hook.role))
      .map((/** @type {any} */ hook) => hook.attachOffset),
  }));
};

/** Return probes first, as the tracer does. @param {BpfObject} bpf @param {number} pid @param {boolean} isMulti */
const attach = (bpf, pid, isMulti) => {
  const places = placesIn(pid);
  for (const retprobe of [true, false]) {
    const program = bpf.program(retprobe ? 'empty_exit' : 'empty_enter');
    for (const { path, offsets } of places) {
      if (isMulti) program.attachUprobeMulti({ path, offsets, pid, retprobe });
      else for (const offset of offsets) program.attachUprobe({ path, offset, pid, retprobe });
    }
  }
};

export class EmptyProbes {
  #bpf;

  /** @param {string} object @param {number} pid */
  constructor(object, pid) {
    const isMulti = features().uprobeMulti.ok;
    const type = ATTACH_TYPE.uprobeMulti;
    this.#bpf = BpfObject.open(object, isMulti ? { attachTypes: { empty_enter: type, empty_exit: type } } : {}).load();
    attach(this.#bpf, pid, isMulti);
  }

  /** How often entry and return probes have fired. */
  hits() {
    const [entries, returns] = [0, 1].map((which) => {
      const value = this.#bpf.map('hits').get(new Uint8Array(new Uint32Array([which]).buffer));
      return Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true));
    });
    return { entries, returns };
  }

  close() {
    this.#bpf.close();
  }
}
