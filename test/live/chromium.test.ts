// Debian's chromium: BoringSSL without symbols, in a child process of the one that is attached to.
import { expect } from 'vitest';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { startService } from '../kit/service.ts';
import { Tracer } from '../kit/tracer.ts';

const flags = (profile: string): string[] => [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--ignore-certificate-errors',
  '--remote-debugging-port=0',
  `--user-data-dir=${profile}`,
  'about:blank',
];

/** Opens a page through the DevTools endpoint that the browser announces on stderr. */
const openPage = async (browser: KitProcess, url: string): Promise<void> => {
  const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(await browser.errorLine('DevTools listening'))?.[1];
  const { status } = await fetch(`http://127.0.0.1:${port}/json/new?${url}`, { method: 'PUT' });
  expect(status).toBe(200);
};

live('chromium loading a page over HTTP/2 is captured by attaching to its browser process', async () => {
  await using service = await startService();
  using dir = scratch();
  await using browser = new KitProcess('chromium', flags(dir.path('profile')));
  await browser.errorLine('DevTools listening');
  await using tracer = await Tracer.attach(browser.pid);
  await openPage(browser, `https://127.0.0.1:${service.port}/kit/page`);
  await tracer.call('/kit/bytes?n=300000');
  const run = await tracer.interrupt();
  const found = run.calls
    .filter((call) => call.path?.startsWith('/kit/'))
    .map(({ path, status, httpVersion, response, captured }) => [path, status, httpVersion, response.bytes, captured]);
  const page = (await service.exchanges(2)).find((line) => line.path === '/kit/page');
  expect(found).toEqual([
    ['/kit/page', 200, '2', page?.response.bytes, 'whole'],
    ['/kit/bytes?n=300000&seed=5', 200, '2', 300_000, 'whole'],
  ]);
});
