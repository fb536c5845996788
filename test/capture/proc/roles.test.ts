import { describe, expect, it } from 'vitest';
import { isLeftOver, type ProcessRole, roleOf } from '../../../src/capture/proc/roles.ts';

const CODE = '/usr/share/code/code';
const row = (role: ProcessRole, exe: string, ...args: string[]): [ProcessRole, string, string[]] => [role, exe, args];

describe('roles of processes', () => {
  it.each([
    row('main', CODE),
    row('main', CODE, '--unity-launch'),
    row('zygote', CODE, '--type=zygote', '--no-zygote-sandbox'),
    row('gpu', CODE, '--type=gpu-process'),
    row('renderer', CODE, '--type=renderer', '--lang=en-US'),
    row('network-service', CODE, '--type=utility', '--utility-sub-type=network.mojom.NetworkService'),
    row('utility', CODE, '--type=utility', '--utility-sub-type=audio.mojom.AudioService'),
    row('utility', CODE, '--type=utility', '--utility-sub-type=node.mojom.NodeService'),
    row('extension-host', CODE, '--type=utility', '--utility-sub-type=node.mojom.NodeService', '--inspect-port=0'),
    row(
      'network-service',
      '/usr/lib/chromium/chromium',
      '--type=utility',
      '--utility-sub-type=network.mojom.NetworkService',
    ),
    row('browser', '/usr/lib/chromium/chromium', '--show-component-extension-options'),
    row('main', '/usr/bin/node', '/home/u/.vscode-server/bin/x/out/server-main.js', '--port=0'),
    row(
      'extension-host',
      '/usr/bin/node',
      '--dns-result-order=ipv4first',
      '/x/out/bootstrap-fork',
      '--type=extensionHost',
    ),
    row('pty-host', '/usr/bin/node', '/x/out/bootstrap-fork', '--type=ptyHost', '--logsLevel=2'),
    row('file-watcher', '/usr/bin/node', '/x/out/bootstrap-fork', '--type=fileWatcher'),
    row('language-server', '/x/copilot-language-server', '--stdio'),
    row('language-server', '/usr/bin/node', '/x/dist/language-server.js', '--stdio'),
    row('copilot-cli', '/x/node_modules/@github/copilot-linux-x64/copilot', '-p', 'hi'),
    row('copilot-cli', '/usr/bin/node', '/x/node_modules/@github/copilot/index.js'),
    row('node', '/usr/bin/node', 'server.js'),
    row('bun', '/x/bin/bun', 'run', 'x.ts'),
    row('curl', '/usr/bin/curl', 'https://example.org'),
    row('python', '/usr/bin/python3.11', '-m', 'http.server'),
    row('other', '/usr/bin/bash'),
  ])('%s: %s %j', (role, exe, args) => {
    expect(roleOf({ comm: 'x', exe, args: [exe, ...args] })).toBe(role);
  });

  it('gives a bare runtime the role of the tool that started it', () => {
    const bare = { comm: 'node', exe: '/usr/bin/node', args: ['node'] };
    expect(roleOf(bare, 'language-server')).toBe('language-server');
    expect(roleOf(bare, 'main')).toBe('node');
    expect(roleOf({ ...bare, args: ['node', 'x.js'] }, 'language-server')).toBe('node');
  });

  it('goes by the first argument, then by the name, where the program is not known', () => {
    expect(roleOf({ comm: 'curl', exe: '', args: [] })).toBe('curl');
  });

  it('a helper whose editor has ended is left over; main processes and tools never are', () => {
    expect(isLeftOver('extension-host', 1, undefined)).toBe(true);
    expect(isLeftOver('extension-host', 950, 'systemd')).toBe(true);
    expect(isLeftOver('extension-host', 950, 'code')).toBe(false);
    expect(isLeftOver('utility', 950, 'zypak-helper')).toBe(false);
    expect(isLeftOver('main', 1, 'systemd')).toBe(false);
    expect(isLeftOver('language-server', 1, 'systemd')).toBe(false);
  });
});
