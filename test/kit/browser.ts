// A headless browser of the Chromium family, driven through its DevTools endpoint.
import { KitProcess } from './process.ts';

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

/** Returns once its DevTools endpoint listens. */
export async function startBrowser(file: string, profile: string): Promise<KitProcess> {
  const browser = new KitProcess(file, flags(profile));
  await browser.errorLine('DevTools listening');
  return browser;
}

/** Opens a page through the endpoint that the browser announced on stderr. */
export async function openPage(browser: KitProcess, url: string): Promise<void> {
  const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(await browser.errorLine('DevTools listening'))?.[1];
  const { status } = await fetch(`http://127.0.0.1:${port}/json/new?${url}`, { method: 'PUT' });
  if (status !== 200) throw new Error(`the browser answered ${status}`);
}
