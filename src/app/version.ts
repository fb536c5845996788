// The version of this tool, from its package.json.

import { readFileSync } from 'node:fs';
import { packageFile } from '../capture/processes.ts';

let version: string | undefined;

export function toolVersion(): string {
  version ??= String(JSON.parse(readFileSync(packageFile(), 'utf8')).version);
  return version;
}
