// Asks on the terminal which running editor or Copilot client to trace. Questions go to standard error: standard output is
// for events.

import { createInterface } from 'node:readline/promises';
import type { RunningClient } from '../app/index.ts';

const NAMES_MAX = 20;

/** What is asked, a line per client. */
export function question(clients: readonly RunningClient[]): string {
  const lines = clients.slice(0, NAMES_MAX).map(({ product, pid }, i) => `  ${i + 1}  ${product}, pid ${pid}`);
  const range = clients.length === 1 ? '[Y/n]' : `[1-${Math.min(clients.length, NAMES_MAX)}]`;
  const title = clients.length === 1 ? 'Trace this one?' : 'Trace which one?';
  return `${lines.join('\n')}\n${title} ${range} `;
}

/** The client that an answer means; undefined for no, nothing, or nonsense. */
export function chosenBy(answer: string, clients: readonly RunningClient[]): RunningClient | undefined {
  const text = answer.trim().toLowerCase();
  if (clients.length === 1 && ['', 'y', 'yes', '1'].includes(text)) return clients[0];
  return /^\d+$/.test(text) ? clients[Number(text) - 1] : undefined;
}

/** Null when there is no terminal to ask on. */
export function askOnTerminal(): ((clients: readonly RunningClient[]) => Promise<RunningClient | undefined>) | null {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return null;
  return async (clients) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return chosenBy(await terminal.question(question(clients)), clients);
    } finally {
      terminal.close();
    }
  };
}
