// A child process that answers in JSON lines: what every part of the benchmark drives.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Child {
  #lines;
  #isAttached;

  /** @param {string} command @param {readonly string[]} args @param {Record<string, string>} [env] */
  constructor(command, args, env = {}) {
    this.process = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.pid = Number(this.process.pid);
    /** @type {Promise<number>} */
    this.ended = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', (code) => resolve(code ?? 1));
    });
    this.#lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.stderr = '';
    /** @type {Promise<void>} */
    this.#isAttached = new Promise((resolve) => {
      this.process.stderr.on('data', (piece) => {
        this.stderr += piece;
        if (this.stderr.includes('attached')) resolve();
      });
    });
  }

  /** @param {string} text */
  say(text) {
    this.process.stdin.write(`${text}\n`);
  }

  /** Next JSON line with this field; others are passed over. @param {string} field @returns {Promise<any>} */
  async next(field) {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`ended without "${field}": ${this.stderr}`);
      const json = value.startsWith('{') ? JSON.parse(value) : {};
      if (field in json) return json;
    }
  }

  /** For a tracer: until its probes are in place. */
  async attached() {
    const early = this.ended.then((code) => {
      throw new Error(`the tracer ended with ${code}: ${this.stderr}`);
    });
    await Promise.race([this.#isAttached, early]);
    early.catch(() => {});
  }

  /** @param {NodeJS.Signals} signal */
  async stop(signal = 'SIGTERM') {
    this.process.kill(signal);
    return this.ended;
  }
}
