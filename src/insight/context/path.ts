// Paths as they are sent come in several forms: relative, absolute, `file:` URIs, `a/` and `b/` of a diff. For grouping they
// are brought to one form; what is shown is a path, never a guess of one.

/** `file:///home/u/a%20b.ts` → `/home/u/a b.ts`, `file:a.ts` → `a.ts`; backslashes of Windows become slashes. */
export function plainPath(sent: string): string {
  const uri = /^(?:[ab]\/)?(?:file|vscode-(?:remote|vfs|userdata)):(?:\/\/[^/]*)?(.*)$/.exec(sent);
  const path = uri?.[1] === undefined ? sent : decoded(uri[1]);
  const slashed = /^[A-Za-z]:\\|^\\\\|^[^/]*\\[^/]*$/.test(path) ? path.replaceAll('\\', '/') : path;
  return slashed.replace(/^\/([A-Za-z]:\/)/, '$1').replace(/^\.\//, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: as sent.
    return text;
  }
}

/** True when a part of the path begins with a dot (`.env`, `.github/x`), parent steps aside. */
export const isHidden = (path: string): boolean =>
  plainPath(path)
    .split('/')
    .some((part) => part.length > 1 && part.startsWith('.') && part !== '..');

export const isAbsolute = (path: string): boolean => /^(\/|[A-Za-z]:\/|~\/)/.test(path);
