// What a workspace on disk says about a path that was sent: ignored by git, listed in `.copilotignore`, excluded by the
// organisation's rules, hidden, or not there at all. Reads ignore files and, for rules about content, the first bytes of a
// file; never follows a path out of the workspace.

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { isAbsolute as isAbsolutePath, join, relative, resolve } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { minimatch } from 'minimatch';
import { plainPath } from '../../insight/index.ts';
import type { ExclusionRule } from '../../model/index.ts';

export interface WorkspaceMarks {
  /** Path below the workspace; absent when it is outside. */
  readonly inside?: string;
  readonly exists: boolean;
  readonly gitIgnored: boolean;
  /** Listed in a `.copilotignore`, which counts only for accounts with content exclusion. */
  readonly copilotIgnored: boolean;
  /** Rule of the organisation that matches, when one does. */
  readonly excludedBy?: string;
}

/** The first bytes of a file that rules about content are tested on. */
const CONTENT_BYTES = 1024;

/** Globs of exclusion rules: a name matches in any folder, case and leading dots do not matter. */
const GLOB = { nocase: true, matchBase: true, dot: true } as const;

export class Workspace {
  readonly #root: string;
  /** Ignore rules by folder (relative) and file name. */
  readonly #ignores = new Map<string, Ignore>();

  constructor(directory: string) {
    this.#root = resolve(directory);
  }

  marks(sent: string, rules: readonly ExclusionRule[]): WorkspaceMarks {
    const inside = this.#inside(plainPath(sent));
    if (inside === undefined) return { exists: false, gitIgnored: false, copilotIgnored: false };
    const excludedBy = rules.find((rule) => this.#excludes(rule, inside));
    return {
      inside,
      exists: this.#isThere(inside),
      gitIgnored: this.#isIgnored(inside, ['.gitignore'], ['.git/info/exclude']),
      copilotIgnored: this.#isIgnored(inside, ['.copilotignore'], []),
      ...(excludedBy === undefined ? {} : { excludedBy: excludedBy.source ?? 'content exclusion' }),
    };
  }

  /** A relative path is taken as being below the workspace. */
  #inside(path: string): string | undefined {
    if (path === '' || path.startsWith('~') || path.includes('\0') || /^[A-Za-z]:\//.test(path)) return undefined;
    const below = relative(this.#root, resolve(this.#root, path));
    return below === '' || below.startsWith('..') || isAbsolutePath(below) ? undefined : below;
  }

  #isThere(inside: string): boolean {
    return statSync(join(this.#root, inside), { throwIfNoEntry: false }) !== undefined;
  }

  /** Rules of a folder hold for what is below it; the nearest rule that says something decides (gitignore(5)). */
  #isIgnored(inside: string, names: readonly string[], extra: readonly string[]): boolean {
    const parts = inside.split('/');
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const folder = parts.slice(0, depth).join('/');
      const files = [...names.map((name) => join(folder, name)), ...(depth === 0 ? extra : [])];
      for (const file of files) {
        const { ignored, unignored } = this.#rulesOf(file).test(parts.slice(depth).join('/'));
        if (ignored || unignored) return ignored;
      }
    }
    return false;
  }

  #rulesOf(file: string): Ignore {
    const known = this.#ignores.get(file);
    if (known !== undefined) return known;
    const rules = createIgnore().add(readIfThere(join(this.#root, file)));
    this.#ignores.set(file, rules);
    return rules;
  }

  #excludes({ paths, ifAnyMatch, ifNoneMatch }: ExclusionRule, inside: string): boolean {
    if (!paths.some((glob) => matches(inside, glob))) return false;
    if (ifAnyMatch === undefined && ifNoneMatch === undefined) return true;
    const content = this.#beginning(inside);
    if (ifAnyMatch !== undefined && !ifAnyMatch.some((pattern) => tests(pattern, content))) return false;
    return ifNoneMatch === undefined || !ifNoneMatch.some((pattern) => tests(pattern, content));
  }

  #beginning(inside: string): string {
    const buffer = new Uint8Array(CONTENT_BYTES);
    let fd: number;
    try {
      fd = openSync(join(this.#root, inside), 'r');
    } catch {
      // Not readable here: rules about content cannot match.
      return '';
    }
    try {
      return Buffer.from(buffer.subarray(0, readSync(fd, buffer, 0, CONTENT_BYTES, 0))).toString('utf8');
    } catch {
      // A folder.
      return '';
    } finally {
      closeSync(fd);
    }
  }
}

/** A glob may begin with a slash: the root of the repository. */
const matches = (inside: string, glob: string): boolean =>
  minimatch(inside, glob, GLOB) || minimatch(`/${inside}`, glob, GLOB);

function tests(pattern: string, content: string): boolean {
  try {
    return new RegExp(pattern).test(content);
  } catch {
    // Another dialect of expressions than ours: taken as not matching.
    return false;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No such file: no rules.
    return '';
  }
}
