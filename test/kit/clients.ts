// The client processes of the tests by name. Each is ready when this returns and sends nothing before `go()`.
import { KitProcess } from './process.ts';
import { kitPath, type Service } from './service.ts';

export interface ClientResult {
  readonly status: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly path?: string;
}

export interface Client extends AsyncDisposable {
  readonly process: KitProcess;
  readonly pid: number;
  go(): void;
  /** Results of its requests, in their order, once all are done. */
  results(): Promise<ClientResult[]>;
}

export interface NodeClientOptions {
  readonly workload: string;
  /** Open the connection and send one request before the client is ready. */
  readonly warm?: boolean;
  readonly h2?: boolean;
  readonly rounds?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Arguments after `node`, for those who start the client themselves. */
export function nodeClientArgs(name: string, service: Service, options: NodeClientOptions): string[] {
  const flags = [...(options.warm ? ['--warm'] : []), ...(options.h2 ? ['--h2'] : [])];
  const rounds = ['--rounds', String(options.rounds ?? 1)];
  const place = ['--port', String(service.port), '--ca', service.ca];
  return [kitPath(`clients/${name}.mjs`), ...place, '--workload', options.workload, ...rounds, ...flags];
}

const asClient = async (child: KitProcess): Promise<Client> => {
  await child.json('ready');
  return {
    process: child,
    pid: child.pid,
    go: () => child.say('go'),
    results: async () => (await child.json<{ results: ClientResult[] }>('done')).results,
    [Symbol.asyncDispose]: async () => {
      await child.stop();
    },
  };
};

/** `node-https`, `node-http2` or `undici-fetch`. */
export function startNodeClient(name: string, service: Service, options: NodeClientOptions): Promise<Client> {
  const env = { ...process.env, ...options.env };
  return asClient(new KitProcess(process.execPath, nodeClientArgs(name, service, options), { env }));
}

/** The scripted Copilot-like client. */
export function startCopilotClient(service: Service, flags: readonly string[] = []): Promise<Client> {
  const args = [kitPath('clients/copilot.mjs'), '--port', String(service.port), '--ca', service.ca, ...flags];
  return asClient(new KitProcess(process.execPath, args));
}

/** Python's ssl module; the system's interpreter, which uses the system's libssl. */
export function startPythonClient(service: Service): Promise<Client> {
  const args = [kitPath('clients/python-ssl.py'), String(service.port), service.ca];
  return asClient(new KitProcess('/usr/bin/python3', args));
}

/** Any program that speaks the ready/go protocol. */
export function startProgram(file: string, args: readonly string[]): Promise<Client> {
  return asClient(new KitProcess(file, args));
}
