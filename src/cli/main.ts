// Where `tracer` starts. Loading all commands takes most of a second; the quick ones, which are asked often, get only their own part.

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { createFrame, runProgram } from './frame.ts';

const version = async (): Promise<Command> => createFrame([]);

/** By the first argument. Each understands exactly what the whole program would. */
const QUICK: ReadonlyMap<string | undefined, () => Promise<Command>> = new Map([
  ['ps', async () => createFrame([(await import('./ps.ts')).addPs])],
  ['--version', version],
  ['-V', version],
]);

const whole = async (): Promise<Command> => (await import('./program.ts')).createProgram();

export const main = (argv: readonly string[]): Promise<void> => runProgram(QUICK.get(argv[2]) ?? whole, argv);

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main(process.argv);
