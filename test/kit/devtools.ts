// The Network panel of a browser's developer tools, used as a person does: a file chosen, rows read, one clicked. The
// front-end is a page that the browser serves at its own debugging endpoint, so it can be driven like any other page.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { endpointOf, openPage } from './browser.ts';
import { HANG_MS } from './hang.ts';
import type { KitProcess } from './process.ts';

/** A browser that starts on a busy machine is no hang yet. */
const PATIENCE_MS = 3 * HANG_MS;
/** How often a page is asked for what it does not show yet. */
const LOOK_AGAIN_MS = 50;

/** Walks into shadow trees, of which the front-end is made; names a function of the page. */
const HELPERS = `
  const all = (wanted, root = document) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(wanted) ? [element] : []),
    ...(element.shadowRoot ? all(wanted, element.shadowRoot) : []),
  ]);
  const shown = (wanted) => all(wanted).filter((element) => element.checkVisibility());
  const cells = (row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim());
`;

type Reply = { readonly id?: number; readonly result?: unknown; readonly error?: { readonly message: string } };

/** A page by the DevTools protocol. */
class Page implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
    });
  }

  static async connect(url: string): Promise<Page> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', ({ message }) => reject(new Error(message)));
    });
    return new Page(socket);
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#sent;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as Record<string, unknown>;
  }

  /** What the expression gives in the page: a value, or with `asObject` a handle on it. */
  async evaluate(expression: string, asObject = false): Promise<unknown> {
    const reply = await this.send('Runtime.evaluate', {
      expression: `(() => { ${HELPERS} return ${expression}; })()`,
      returnByValue: !asObject,
    });
    if (reply['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(reply['exceptionDetails']));
    const { value, objectId } = reply['result'] as { value?: unknown; objectId?: string };
    return asObject ? objectId : value;
  }

  /** Asks until the expression gives something; says what the page shows when it never does. */
  async until<T>(expression: string, asObject = false): Promise<T> {
    const deadlineMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const value = await this.evaluate(expression, asObject);
      if (value !== null && value !== undefined && value !== false) return value as T;
      if (Date.now() > deadlineMs) {
        const text = await this.evaluate(`shown('tr, [role=tab]').map((element) => element.innerText).join(' | ')`);
        throw new Error(`the page never showed ${expression}; it has: ${text}`);
      }
      await pause(LOOK_AGAIN_MS);
    }
  }

  /**
   * Clicks with the mouse into the middle of the element until it is selected: the front-end lays itself out again while
   * it loads, so that a click may hit what stood there a moment before.
   */
  async select(element: string): Promise<void> {
    const deadlineMs = Date.now() + PATIENCE_MS;
    while (!(await this.isSelected(element))) {
      if (Date.now() > deadlineMs) throw new Error(`no click ever selected ${element}`);
      await this.#click(element);
      await pause(LOOK_AGAIN_MS);
    }
  }

  async isSelected(element: string): Promise<boolean> {
    return (await this.evaluate(`(${element})?.closest('.selected, [aria-selected=true]') != null`)) === true;
  }

  async #click(element: string): Promise<void> {
    const [x, y] = await this.until<[number, number]>(`(() => {
      const box = (${element})?.getBoundingClientRect();
      return box && box.width > 0 ? [box.x + box.width / 2, box.y + box.height / 2] : null;
    })()`);
    const at = { x, y, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

export class NetworkPanel implements Disposable {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens the developer tools of an empty page. */
  static async open(browser: KitProcess): Promise<NetworkPanel> {
    const { id } = await openPage(browser, 'about:blank');
    const endpoint = await endpointOf(browser);
    const tools = `http://${endpoint}/devtools/devtools_app.html?ws=${endpoint}/devtools/page/${id}&panel=network`;
    const { webSocketDebuggerUrl } = await openPage(browser, encodeURIComponent(tools));
    return new NetworkPanel(await Page.connect(webSocketDebuggerUrl));
  }

  /** Chooses a file as the button "Import HAR file" does, and waits for `count` rows. */
  async importHar(path: string, count: number): Promise<string[][]> {
    const objectId = await this.#page.until(`all('.network input[type=file]')[0]`, true);
    await this.#page.send('DOM.setFileInputFiles', { files: [path], objectId });
    return this.#rows('.network-log-grid', count);
  }

  /** Clicks on a row by its name, then on a tab of what opens; both until they stay selected. */
  async openTab(name: string, tab: string): Promise<void> {
    const row = `shown('.network-log-grid td.name-column').find((cell) => cell.innerText.startsWith('${name}'))`;
    const opener = `shown('[role=tab]').find((element) => element.innerText.trim() === '${tab}')`;
    do {
      await this.#page.select(row);
      await this.#page.select(opener);
      await pause(LOOK_AGAIN_MS);
    } while (!(await this.#page.isSelected(row)) || !(await this.#page.isSelected(opener)));
  }

  /** Waits for `count` rows of the list in the tab that is open. */
  messages(count: number): Promise<string[][]> {
    return this.#rows('.data-grid:not(.network-log-grid)', count);
  }

  /** Until the page shows `text`. */
  async showsText(text: string): Promise<void> {
    await this.#page.until(`document.body.innerText.includes(${JSON.stringify(text)})
      || all('*').some((element) => element.shadowRoot?.textContent.includes(${JSON.stringify(text)}))`);
  }

  /** Cells are filled one after the other: rows count when two looks show the same. */
  async #rows(grid: string, count: number): Promise<string[][]> {
    const look = (): Promise<string[][]> =>
      this.#page.until(`(() => {
        const rows = shown('${grid} tr').map(cells).filter((row) => row.some((text) => text !== ''));
        return rows.length === ${count} ? rows : null;
      })()`);
    for (let rows = await look(); ; ) {
      await pause(LOOK_AGAIN_MS);
      const again = await look();
      if (JSON.stringify(again) === JSON.stringify(rows)) return rows;
      rows = again;
    }
  }

  [Symbol.dispose](): void {
    this.#page[Symbol.dispose]();
  }
}
