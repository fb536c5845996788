// Programs made for musl, as containers of Alpine run them: Bun as npm ships it for musl, BoringSSL without symbols. Static
// programs made for musl are in tls-stacks.test.ts: sentry-cli is one.
import { basename } from 'node:path';
import { expect } from 'vitest';
import type { ProcessEvent } from '../../src/model/index.ts';
import { makeMuslLibraries, muslLoader } from '../kit/binaries/musl.ts';
import { npmFile } from '../kit/binaries/programs.ts';
import { startProgram } from '../kit/clients.ts';
import { expectByteExact } from '../kit/compare.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { kitPath, startService } from '../kit/service.ts';

/** A large download, once. */
const WITH_DOWNLOAD = { timeout: 300_000 };

live.for(['by its name', 'by the loader’s name, which then is the process’s program'] as const)(
  'Bun for musl, started %s: bodies both ways and an event stream',
  WITH_DOWNLOAD,
  async (how, context) => {
    using dir = scratch();
    const loader = muslLoader(context);
    const bun = npmFile(context, '@oven/bun-linux-x64-musl', '1.4.5', 'bin/bun');
    const libraries = makeMuslLibraries(context, dir.path('lib'));
    await using service = await startService();
    const args = ['run', kitPath('clients/bun-fetch.mjs'), String(service.port)];
    const command =
      how === 'by its name'
        ? ['/usr/bin/env', `LD_LIBRARY_PATH=${libraries}`, bun]
        : [loader, '--library-path', libraries, bun];
    await using client = await startProgram(command[0] ?? '', [...command.slice(1), ...args]);
    const { run, exchanges } = await traceClient(client, dir.path('session.trc'));
    const truth = await service.exchanges(3);
    expect(truth).toHaveLength(3);
    expectByteExact(exchanges, truth);
    expect(run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
    const [found] = run.events.filter((event): event is ProcessEvent => event.type === 'process');
    expect(found?.tls.map(({ file, reason }) => [basename(file), reason])).toEqual([
      ['bun', 'SSL_read, SSL_write, tls_free, SSL_set_tlsext_host_name by code references'],
    ]);
  },
);
