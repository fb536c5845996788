// A process's argument vector: secrets in the arguments themselves, and values that follow an option of a secret name.

import { maskCredential } from './contexts.ts';
import type { Mask } from './fingerprint.ts';
import { isSecretName } from './names.ts';
import { maskText } from './text.ts';

/** `-u name:password`, as curl and many others take it. */
const USER_OPTIONS = new Set(['-u', '--user', '--proxy-user', '-U']);

/** What the argument before says about this one. */
function maskValue(option: string, value: string, mask: Mask): string | null {
  if (USER_OPTIONS.has(option) && value.includes(':')) return mask(value, 'user-info');
  const isSecret =
    /^--?[A-Za-z]/.test(option) && !option.includes('=') && isSecretName(option) && !value.startsWith('-');
  return isSecret ? maskCredential(value, mask) : null;
}

/** `--name=value`: the name is known here, so any value counts. */
function maskAssigned(argument: string, mask: Mask): string {
  const equals = argument.indexOf('=');
  const isSecret = equals > 0 && equals < argument.length - 1 && isSecretName(argument.slice(0, equals));
  return isSecret
    ? argument.slice(0, equals + 1) + maskCredential(argument.slice(equals + 1), mask)
    : maskText(argument, mask);
}

export const maskArguments = (args: readonly string[], mask: Mask): string[] =>
  args.map((argument, i) => maskValue(args[i - 1] ?? '', argument, mask) ?? maskAssigned(argument, mask));
