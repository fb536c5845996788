// Where editors and command lines keep their record of chats, for one home folder.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface StorePlace {
  readonly owner: string;
  readonly path: string;
}

const FILE = 'session-store.db';
const IN_USER_DATA = join('User', 'globalStorage', 'github.copilot-chat', FILE);

/** User data folders, relative to the home folder; macOS and Windows for recordings of homes that are mounted here. */
const USER_DATA: readonly (readonly [owner: string, folder: string])[] = [
  ['VS Code', '.config/Code'],
  ['VS Code Insiders', '.config/Code - Insiders'],
  ['VS Code server', '.vscode-server/data'],
  ['VS Code Insiders server', '.vscode-server-insiders/data'],
  ['VS Code', 'Library/Application Support/Code'],
  ['VS Code Insiders', 'Library/Application Support/Code - Insiders'],
  ['VS Code', 'AppData/Roaming/Code'],
  ['VS Code Insiders', 'AppData/Roaming/Code - Insiders'],
];

/** Stores that exist below `home`, in a fixed order. */
export function locateStores(home: string): readonly StorePlace[] {
  const places = [
    ...USER_DATA.map(([owner, folder]) => ({ owner, path: join(home, folder, IN_USER_DATA) })),
    { owner: 'Copilot CLI', path: join(home, '.copilot', FILE) },
  ];
  return places.filter(({ path }) => existsSync(path));
}
