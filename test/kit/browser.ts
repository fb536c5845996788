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
  // The DevTools front-end is a page of the endpoint itself, and connects back to it.
  '--remote-allow-origins=*',
  '--window-size=1600,1000',
  `--user-data-dir=${profile}`,
  'about:blank',
];

/** Returns once its DevTools endpoint listens. */
export async function startBrowser(file: string, profile: string): Promise<KitProcess> {
  const browser = new KitProcess(file, flags(profile));
  await browser.errorLine('DevTools listening');
  return browser;
}

/** Its DevTools endpoint, as it announced it on stderr. */
export async function endpointOf(browser: KitProcess): Promise<string> {
  return /ws:\/\/(127\.0\.0\.1:\d+)\//.exec(await browser.errorLine('DevTools listening'))?.[1] ?? '';
}

export interface BrowserPage {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

/** Opens a page through that endpoint. */
export async function openPage(browser: KitProcess, url: string): Promise<BrowserPage> {
  const response = await fetch(`http://${await endpointOf(browser)}/json/new?${url}`, { method: 'PUT' });
  if (response.status !== 200) throw new Error(`the browser answered ${response.status}`);
  return (await response.json()) as BrowserPage;
}
