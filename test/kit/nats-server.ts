// A real nats-server of the test's own: on a free port, with its own storage, killed and started again at will.
import { randomInt } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KitProcess } from './process.ts';
import { removeUsed } from './remove-used.ts';

/** Below those that the kernel gives to whoever asks for any port: what is free here stays free while its server is away. */
const PORTS = { first: 16_384, count: 16_000 };

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export class NatsServer implements AsyncDisposable {
  readonly port: number;
  readonly dir: string;
  readonly #config: string;
  #process: KitProcess | null = null;

  private constructor(port: number, dir: string, config: string) {
    this.port = port;
    this.dir = dir;
    this.#config = config;
  }

  /** Starts it; `config` is added to its configuration file, `DIR` in it is its directory. */
  static async start(config = ''): Promise<NatsServer> {
    const server = await NatsServer.prepare(config);
    await server.start();
    return server;
  }

  /** The same, not yet running. `files` are written into its directory. */
  static async prepare(config = '', files: Readonly<Record<string, string>> = {}): Promise<NatsServer> {
    const dir = mkdtempSync(join(tmpdir(), 'tracer-nats-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o600 });
    return new NatsServer(await freePort(), dir, config.replaceAll('DIR', dir));
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  async start(): Promise<void> {
    const file = this.path('server.conf');
    writeFileSync(
      file,
      `listen: "127.0.0.1:${this.port}"\njetstream { store_dir: "${this.dir}/js" }\n${this.#config}\n`,
    );
    this.#process = new KitProcess('nats-server', ['-c', file]);
    await this.#process.errorLine('Server is ready');
  }

  /** As an administrator does: everything is on its disk then. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = null;
  }

  /** As a crash: no goodbye, no flush. */
  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL');
    this.#process = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    removeUsed(this.dir);
  }
}
