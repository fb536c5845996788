import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFile, findProgram, imagesOfProgram, likelyPrograms } from '../../../src/capture/live/program-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'tracer-programs-'));
const script = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

test('a program is found as a shell finds it: by PATH, or by its path when it has a slash', () => {
  const path = script('agent', '#!/bin/sh\n');
  expect(findProgram('agent', `/nonexistent:${dir}`)).toBe(path);
  expect(findProgram(path, '')).toBe(path);
  expect(findProgram('agent', '/nonexistent')).toBeNull();
  expect(findProgram('.', dir)).toBeNull();
});

test('what is there and yet no program is told apart from what is not there', () => {
  writeFileSync(join(dir, 'notes.txt'), 'no program');
  expect(findProgram('notes.txt', dir)).toBeNull();
  expect(findFile('notes.txt', `/nonexistent:${dir}`)).toEqual({ path: join(dir, 'notes.txt'), isDirectory: false });
  expect(findFile(dir, '')).toEqual({ path: dir, isDirectory: true });
  expect([findFile('none', dir), findFile('', dir), findFile(join(dir, 'notes.txt', 'below'), '')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('the interpreter of a script is looked into: a script for node carries node’s TLS library', () => {
  symlinkSync(process.execPath, join(dir, 'node'));
  script('cli', '#!/usr/bin/env node\n');
  const paths = imagesOfProgram('cli', dir).map((image) => image.path);
  expect(paths).toContain(realpathSync(process.execPath));
});

test('a script that is its own interpreter ends the search', () => {
  const path = join(dir, 'loop');
  script('loop', `#!${path}\n`);
  expect(() => imagesOfProgram('loop', dir)).not.toThrow();
});

test('a wrapper script leads to the program that it becomes: by its path, or by its own name in a folder', () => {
  const lib = join(dir, 'lib', 'browser');
  mkdirSync(lib, { recursive: true });
  symlinkSync(process.execPath, join(lib, 'browser'));
  const real = realpathSync(process.execPath);
  const byFolder = script(
    'browser',
    `#!/bin/sh\nNAME=browser\nLIBDIR=${join(dir, 'lib')}/$NAME\nexec $LIBDIR/\${NAME} "$@"\n`,
  );
  expect(imagesOfProgram(byFolder, '').map((image) => image.path)).toContain(real);
  const byPath = script('wrapper', `#!/bin/sh\nexec "${join(lib, 'browser')}" "$@"\n`);
  expect(imagesOfProgram(byPath, '').map((image) => image.path)).toContain(real);
});

test('a script that names other scripts, folders and nothing at all leads nowhere', () => {
  const other = script('other', '#!/bin/sh\n');
  const path = script('plain', `#!/bin/sh\n${other} /usr /nonexistent/x https://example.org/bin/sh-like\n`);
  expect(imagesOfProgram(path, '').map((image) => image.path)).not.toContain(realpathSync(process.execPath));
});

test('browsers and editors that are installed are likely to be started: the files behind their wrappers', () => {
  const bin = join(dir, 'bin');
  mkdirSync(join(dir, 'opt'), { recursive: true });
  mkdirSync(bin);
  symlinkSync(process.execPath, join(dir, 'opt', 'chromium'));
  script(join('bin', 'chromium'), `#!/bin/sh\nexec ${join(dir, 'opt', 'chromium')} "$@"\n`);
  expect(likelyPrograms(bin)).toContain(realpathSync(process.execPath));
  expect(likelyPrograms('/nonexistent')).toEqual([]);
});
