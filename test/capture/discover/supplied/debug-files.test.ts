import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { localDebugSymbols } from '../../../../src/capture/discover/supplied/debug-files.ts';
import { inspectImage } from '../../../../src/capture/targets/table.ts';
import { buildSeparated, isOpen, opened } from '../../../kit/binaries/separated.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-debug-'));
afterAll(() => rmSync(directory, { recursive: true }));

const place = (from: string, folder: string, name: string): void => {
  mkdirSync(folder, { recursive: true });
  copyFileSync(from, join(folder, name));
};

describe('debug symbols on this machine', () => {
  it('are found by build-id where packages install them, and complete what the search leaves open', (context) => {
    const { program, debug } = buildSeparated(context, directory);
    const image = opened(program);
    const id = image.elf.buildId ?? '';
    place(debug, join(directory, 'lib', '.build-id', id.slice(0, 2)), `${id.slice(2)}.debug`);
    const places = { debugDirs: [join(directory, 'lib')], clientCaches: [] };
    expect(inspectImage(image).map((f) => f.hooks.length)).toEqual([0]);
    const [finding] = inspectImage(image, () => localDebugSymbols(image.elf, places));
    expect(finding?.reason).toBe(
      'SSL_write, SSL_write_ex, ssl_read_internal, SSL_free, SSL_ctrl by separate debug symbols (whether data goes around them in this build is not known)',
    );
    const file = join(directory, 'lib', '.build-id', id.slice(0, 2), `${id.slice(2)}.debug`);
    expect([isOpen(program), isOpen(file)]).toEqual([true, false]);
  });

  it('are found in the cache of a debuginfod client, of the very build only', (context) => {
    const { program, debug } = buildSeparated(context, directory, '-no-pie');
    const { elf } = opened(program);
    const caches = { debugDirs: [], clientCaches: [join(directory, 'client')] };
    expect(localDebugSymbols(elf, caches)).toMatchObject({ lookup: undefined, refused: [] });
    place('/usr/bin/true', join(directory, 'client', elf.buildId ?? ''), 'debuginfo');
    expect(localDebugSymbols(elf, caches)).toMatchObject({ lookup: undefined, refused: [] });
    const file = join(directory, 'client', elf.buildId ?? '', 'debuginfo');
    expect(isOpen(file)).toBe(false);
    place(debug, join(directory, 'client', elf.buildId ?? ''), 'debuginfo');
    expect(localDebugSymbols(elf, caches).lookup?.(['SSL_read']).size).toBe(1);
  });
});
