// Hints at a person: e-mail addresses, home folders, repository addresses with a user name. No secrets, and often needed by
// the receiver; so they are findings of the lowest severity, and can be switched off.

import type { Found } from './find.ts';

/** Every repetition is bounded: linear in the text. */
const EMAIL = /[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b/g;
const NO_PERSON =
  /^(?:git|noreply|no-reply|support|info|security|hello|admin|webmaster|user|you|your\S*|me|foo|bar|test|someone|name|email)@|@(?:example|test|localhost|invalid|users\.noreply)\b|@\S*\.(?:example|test|invalid|local|png|jpg|svg|js|ts)$/i;
const HOME = /(?:\/home\/|\/Users\/|[A-Za-z]:\\{1,2}Users\\{1,2})([A-Za-z0-9._-]{1,64})/g;
const NO_USER =
  /^(?:user|username|me|you|runner|vsts|app|node|root|ubuntu|vscode|codespace|shared|public|default|name|linuxbrew|test|\.+)$/i;
const REMOTE = /(?:https?|ssh):\/\/([A-Za-z0-9._-]{1,64})@(?=[A-Za-z0-9.-]{1,253}[/:])/g;

function matches(text: string, kind: string, pattern: RegExp, isHarmless: RegExp): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    if (isHarmless.test(secret)) continue;
    found.push({ kind, secret, offset: match.index, length: match[0].length, encoded: false });
  }
  return found;
}

export function findPersonal(text: string): readonly Found[] {
  const hasAt = text.includes('@');
  return [
    ...(hasAt ? matches(text, 'personal-email', EMAIL, NO_PERSON) : []),
    ...matches(text, 'personal-home', HOME, NO_USER),
    ...(hasAt ? matches(text, 'personal-remote', REMOTE, /^git$/) : []),
  ];
}
