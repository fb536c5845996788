// Debian's chromium: BoringSSL without symbols, in a child process of the one that is attached to.
import { expect } from 'vitest';
import { openPage, startBrowser } from '../kit/browser.ts';
import { live, scratch } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { Tracer } from '../kit/tracer.ts';

live('chromium loading a page over HTTP/2 is captured by attaching to its browser process', async () => {
  await using service = await startService();
  using dir = scratch();
  await using browser = await startBrowser('chromium', dir.path('profile'));
  await using tracer = await Tracer.attach(browser.pid);
  await openPage(browser, `https://127.0.0.1:${service.port}/kit/page`);
  await tracer.call('/kit/bytes?n=300000');
  const run = await tracer.interrupt();
  const found = run.calls
    .filter((call) => call.path?.startsWith('/kit/'))
    .map(({ path, status, httpVersion, response, captured }) => [path, status, httpVersion, response.bytes, captured]);
  const page = (await service.kitExchanges(2)).find((line) => line.path === '/kit/page');
  expect(found).toEqual([
    ['/kit/page', 200, '2', page?.response.bytes, 'whole'],
    ['/kit/bytes?n=300000&seed=5', 200, '2', 300_000, 'whole'],
  ]);
});
