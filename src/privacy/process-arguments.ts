// A process's argument vector: secrets in the arguments themselves, and values that follow an option of a secret name.

import { maskCredential } from './contexts.ts';
import type { Mask } from './fingerprint.ts';
import { isSecretName } from './names.ts';
import { maskText } from './text.ts';

/** `-u name:password`, as curl and many others take it. */
const USER_OPTIONS = new Set(['-u', '--user', '--proxy-user', '-U']);

/** Options that take a secret though their name is short or general; `--key` often takes the path of a file. */
const SECRET_OPTION = /^--?(?:auth|pass|pw|pat|otp|key)$/i;
const isPath = (value: string): boolean => /[/\\]|^[.~]|\.[a-z]{2,5}$/i.test(value);

/** Programs whose short option for a password is known. `mysql -p` without a value asks for it: what follows is a name. */
const PROGRAMS: readonly { readonly name: RegExp; readonly option: string; readonly takesNext: boolean }[] = [
  { name: /^(?:mysql|mariadb)[\w-]*$/, option: '-p', takesNext: false },
  { name: /^sshpass$/, option: '-p', takesNext: true },
  { name: /^(?:redis|valkey)-cli$/, option: '-a', takesNext: true },
  { name: /^ldap[a-z]+$/, option: '-w', takesNext: true },
];

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The argument redacted when it is the password option of this program, or its value. */
function maskPasswordOption(program: string, before: string, argument: string, mask: Mask): string | null {
  const known = PROGRAMS.find(({ name }) => name.test(baseName(program)));
  if (known === undefined) return null;
  if (known.takesNext && before === known.option) return mask(argument, 'secret');
  const isAttached = argument.startsWith(known.option) && argument.length > known.option.length;
  return isAttached ? known.option + mask(argument.slice(known.option.length), 'secret') : null;
}

/** What the argument before says about this one. */
function maskValue(option: string, value: string, mask: Mask): string | null {
  if (USER_OPTIONS.has(option) && value.includes(':')) return mask(value, 'user-info');
  if (value.startsWith('-') || option.includes('=')) return null;
  const isSecret =
    (/^--?[A-Za-z]/.test(option) && isSecretName(option)) || (SECRET_OPTION.test(option) && !isPath(value));
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

export const maskArguments = ([program, ...rest]: readonly string[], mask: Mask): string[] =>
  program === undefined
    ? []
    : [
        maskAssigned(program, mask),
        ...rest.map((argument, i) => {
          const before = rest[i - 1] ?? program;
          const value = maskValue(before, argument, mask) ?? maskPasswordOption(program, before, argument, mask);
          return value ?? maskAssigned(argument, mask);
        }),
      ];
