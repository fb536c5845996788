// THE table of dialects, and the choice of one. To add a dialect: a file like the others here and a row.

import { anthropicMessages } from './anthropic-messages.ts';
import type { Dialect, DialectHint } from './dialect.ts';
import { embeddings } from './embeddings.ts';
import { gemini } from './gemini.ts';
import { nes } from './nes.ts';
import { ollama } from './ollama.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiCompletions } from './openai-completions.ts';
import { openAiResponses } from './openai-responses.ts';

/** Order matters only on equal scores: the earlier row wins. */
export const DIALECTS = [
  nes,
  openAiCompletions,
  embeddings,
  gemini,
  ollama,
  openAiResponses,
  anthropicMessages,
  openAiChat,
] as const satisfies readonly Dialect[];

export function dialectByName(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}

/** The dialect that fits best, or undefined when none does. */
export function bestDialect(hint: DialectHint): { readonly dialect: Dialect; readonly score: number } | undefined {
  let best: { dialect: Dialect; score: number } | undefined;
  for (const dialect of DIALECTS) {
    const score = dialect.score(hint);
    if (score > (best?.score ?? 0)) best = { dialect, score };
  }
  return best;
}
