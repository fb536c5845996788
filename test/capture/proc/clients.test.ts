import { describe, expect, it } from 'vitest';
import { ancestorsOf, productOf, runningClients } from '../../../src/capture/proc/clients.ts';

const of = (exe: string, ...args: string[]) => productOf({ comm: 'MainThread', exe, args: [exe, ...args] });

describe('products by command line', () => {
  it.each([
    ['VS Code', '/usr/share/code/code', []],
    ['VS Code', '/snap/code/170/usr/share/code/code', ['--no-sandbox', '--force-user-env']],
    ['VS Code Insiders', '/usr/share/code-insiders/code-insiders', []],
    ['VSCodium', '/usr/share/codium/codium', []],
    ['Cursor', '/tmp/.mount_CursorX/usr/share/cursor/cursor', []],
    ['Windsurf', '/opt/windsurf/windsurf', []],
    ['code-server', '/usr/lib/code-server/lib/node', ['/usr/lib/code-server/out/node/entry']],
    ['VS Code Server', '/home/u/.vscode-server/bin/x/node', ['/home/u/.vscode-server/bin/x/out/server-main.js']],
    ['Copilot CLI', '/x/node_modules/@github/copilot-linux-x64/copilot', ['-p', 'hi']],
    ['Copilot language server', '/x/copilot-language-server', ['--stdio']],
    [
      'Copilot language server',
      '/usr/bin/node',
      ['/x/@github/copilot-language-server/dist/language-server.js', '--stdio'],
    ],
  ])('%s: %s %j', (product, exe, args) => {
    expect(of(exe, ...args)).toBe(product);
  });

  it('helpers of an editor, its command-line shim and all others are none', () => {
    expect(of('/usr/share/code/code', '--type=renderer')).toBeUndefined();
    expect(of('/usr/share/code/code', '/usr/share/code/resources/app/out/cli.js', '--ms-enable')).toBeUndefined();
    expect(of('/usr/bin/node', 'server.js')).toBeUndefined();
    expect(of('/usr/bin/vim')).toBeUndefined();
  });
});

describe('running clients', () => {
  it('ancestors end at the top, and a cycle in a snapshot ends, too', () => {
    expect(
      ancestorsOf(
        4,
        new Map([
          [4, 3],
          [3, 1],
          [1, 0],
        ]),
      ),
    ).toEqual([3, 1]);
    expect(
      ancestorsOf(
        4,
        new Map([
          [4, 3],
          [3, 4],
        ]),
      ),
    ).toEqual([3, 4]);
  });

  it('are processes that live', () => {
    for (const client of runningClients()) expect(client.pid).toBeGreaterThan(0);
  });
});
