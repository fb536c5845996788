// What a process is to the user: the editor's main process, its extension host, a language server … decided by the command
// line, the program's name and, where those do not tell, the parent's role. A label for people and filters: nothing is
// captured or left out because of it.

import { basename } from 'node:path';

export type ProcessRole =
  | 'main'
  | 'network-service'
  | 'renderer'
  | 'gpu'
  | 'zygote'
  | 'utility'
  | 'extension-host'
  | 'shared-process'
  | 'pty-host'
  | 'file-watcher'
  | 'language-server'
  | 'copilot-cli'
  | 'browser'
  | 'node'
  | 'bun'
  | 'deno'
  | 'curl'
  | 'python'
  | 'java'
  | 'other';

/** The part of `ProcessFacts` that decides. */
export interface RoleFacts {
  readonly comm: string;
  readonly exe: string;
  readonly args: readonly string[];
}

interface Clues {
  readonly program: string;
  readonly args: readonly string[];
  /** Value of `--type=`: Chromium's process type, or that of a process forked by VS Code's server. */
  readonly type: string | undefined;
  readonly subType: string | undefined;
  /** The first argument that is no option, after the program: a runtime's script. */
  readonly script: string;
}

interface RoleRow {
  readonly role: ProcessRole;
  readonly when: (clues: Clues) => boolean;
}

const EDITORS = /^(code|code-insiders|code-oss|vscodium|codium|cursor|windsurf|electron)$/i;
const BROWSERS = /^(chromium|chromium-browser|chrome|google-chrome|msedge|brave|vivaldi|opera|firefox|headless_shell)/i;
const LANGUAGE_SERVER = /language-?server|(^|[-_./])lsp([-_./]|$)|tsserver/i;
const COPILOT_CLI = /(^|\/)@github\/copilot(-linux-[a-z0-9]+)?\/|(^|\/)copilot$/;

const hasType = (type: string) => (c: Clues) => c.type === type;
const runs = (name: RegExp) => (c: Clues) => name.test(c.program);

// First match wins: from what an option says outright, over what a script's name says, to the bare name of the program.
const ROLES: readonly RoleRow[] = [
  { role: 'extension-host', when: hasType('extensionHost') },
  { role: 'pty-host', when: hasType('ptyHost') },
  { role: 'file-watcher', when: hasType('fileWatcher') },
  { role: 'shared-process', when: (c) => c.type === 'sharedProcess' || c.type === 'shared-process' },
  { role: 'renderer', when: hasType('renderer') },
  { role: 'gpu', when: hasType('gpu-process') },
  { role: 'zygote', when: hasType('zygote') },
  { role: 'network-service', when: (c) => c.type === 'utility' && (c.subType ?? '').startsWith('network.') },
  // Electron's utilityProcess. Of VS Code's, only the extension host is started with an inspector port.
  {
    role: 'extension-host',
    when: (c) => c.subType === 'node.mojom.NodeService' && c.args.some((a) => a.startsWith('--inspect-port')),
  },
  { role: 'utility', when: (c) => c.type === 'utility' },
  { role: 'copilot-cli', when: (c) => COPILOT_CLI.test(c.script) || /^copilot$/.test(c.program) },
  { role: 'language-server', when: (c) => LANGUAGE_SERVER.test(c.program) || LANGUAGE_SERVER.test(basename(c.script)) },
  { role: 'main', when: (c) => /(^|\/)(server-main\.js|out\/node\/entry(\.js)?|code-server)$/.test(c.script) },
  { role: 'main', when: runs(EDITORS) },
  { role: 'browser', when: runs(BROWSERS) },
  { role: 'node', when: runs(/^(node|nodejs)$/) },
  { role: 'bun', when: runs(/^(bun|bunx|opencode)$/) },
  { role: 'deno', when: runs(/^deno$/) },
  { role: 'curl', when: runs(/^curl$/) },
  { role: 'python', when: runs(/^(python|pypy)[0-9.]*$/) },
  { role: 'java', when: runs(/^java$/) },
];

/** Processes that an editor's or browser's main process starts and ends. */
const HELPERS: ReadonlySet<ProcessRole> = new Set([
  'extension-host',
  'shared-process',
  'pty-host',
  'file-watcher',
  'network-service',
  'utility',
  'gpu',
  'zygote',
]);

/** Programs that adopt orphans. Wrappers of sandboxes, which are parents of helpers that are well, are none of them. */
const ADOPTERS = /^(systemd|init|runit|s6-svscan|dumb-init|tini|docker-init)$/;

/** True for a helper whose editor has ended: it was given to init, or to whoever adopts orphans. */
export const isLeftOver = (role: ProcessRole, parentPid: number, parentComm: string | undefined): boolean =>
  HELPERS.has(role) && (parentPid === 1 || (parentComm !== undefined && ADOPTERS.test(parentComm)));

const optionOf = (args: readonly string[], name: string): string | undefined =>
  args.find((a) => a.startsWith(`${name}=`))?.slice(name.length + 1);

const cluesOf = (facts: RoleFacts): Clues => ({
  program: basename(facts.exe === '' ? (facts.args[0] ?? facts.comm) : facts.exe),
  args: facts.args,
  type: optionOf(facts.args, '--type'),
  subType: optionOf(facts.args, '--utility-sub-type'),
  script: facts.args.slice(1).find((a) => !a.startsWith('-')) ?? '',
});

/** Children that a runtime only starts for its parent's work show the parent's role: a shim's `node`, a wrapper script. */
const INHERITED: ReadonlySet<ProcessRole> = new Set(['copilot-cli', 'language-server']);

/** The role of a process; `parentRole` decides where its own command line does not. */
export function roleOf(facts: RoleFacts, parentRole?: ProcessRole): ProcessRole {
  const clues = cluesOf(facts);
  const own = ROLES.find((row) => row.when(clues))?.role ?? 'other';
  const isBareRuntime = own === 'node' && clues.script === '';
  return isBareRuntime && parentRole !== undefined && INHERITED.has(parentRole) ? parentRole : own;
}
