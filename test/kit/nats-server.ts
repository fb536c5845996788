// A real nats-server of the test's own: on a free port, with its own storage, killed and started again at will.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KitProcess } from './process.ts';

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address === null || typeof address === 'string' ? reject(new Error('no port')) : resolve(address.port),
      );
    });
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

  /** As a crash: no goodbye, no flush. */
  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL');
    this.#process = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
