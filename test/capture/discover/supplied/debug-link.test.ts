import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import type { ProgramImage } from '../../../../src/capture/discover/image.ts';
import { localDebugSymbols } from '../../../../src/capture/discover/supplied/debug-files.ts';
import {
  debugLinkPaths,
  programPlace,
  readDebugLink,
  symbolsByDebugLink,
} from '../../../../src/capture/discover/supplied/debug-link.ts';
import { inspectImage } from '../../../../src/capture/targets/table.ts';
import { buildSeparated, isOpen, opened } from '../../../kit/binaries/separated.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-link-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Linked {
  readonly folder: string;
  readonly program: string;
  /** Not in any place that is looked at. */
  readonly debug: string;
}

/** A program whose debug link names program.debug, in a folder of its own; as distributions did before build-ids. */
function linked(context: TestContext, name: string): Linked {
  const folder = join(directory, name);
  const hidden = join(folder, 'elsewhere');
  mkdirSync(hidden, { recursive: true });
  const { program, debug } = buildSeparated(context, hidden, '-no-pie', '-Wl,--build-id=none');
  execFileSync('objcopy', [`--add-gnu-debuglink=${debug}`, program, join(folder, 'program')]);
  return { folder, program: join(folder, 'program'), debug };
}

const place = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

const symbolsOf = (image: ProgramImage, dirs: readonly string[] = []) =>
  localDebugSymbols(image.elf, { debugDirs: dirs, clientCaches: [] });

describe('debug symbols by debug link', () => {
  it('are found next to the program, in .debug, and below the debug folder', (context) => {
    const { folder, program, debug } = linked(context, 'places');
    const dirs = [join(folder, 'lib')];
    const image = opened(program);
    expect(image.elf.buildId).toBeUndefined();
    expect(symbolsOf(image, dirs)).toMatchObject({ lookup: undefined, refused: [] });
    for (const path of ['program.debug', '.debug/program.debug', join('lib', folder, 'program.debug')]) {
      place(debug, join(folder, path));
      expect(symbolsOf(image, dirs).lookup?.(['SSL_read', 'ssl_read_internal']).size).toBe(2);
      rmSync(join(folder, path));
    }
  });

  it('complete what the search leaves open, in a program without build-id', (context) => {
    const { folder, program, debug } = linked(context, 'completes');
    place(debug, join(folder, '.debug/program.debug'));
    const image = opened(program);
    const [finding] = inspectImage(image, () => symbolsOf(image));
    expect(finding?.reason).toMatch(/^SSL_write, SSL_write_ex, ssl_read_internal, .* by separate debug symbols/);
    expect(isOpen(join(folder, '.debug/program.debug'))).toBe(false);
  });

  it('of another build are refused by their checksum, and the reason says so', (context) => {
    const { folder, program, debug } = linked(context, 'changed');
    const path = join(folder, 'program.debug');
    place(debug, path);
    appendFileSync(path, 'x');
    const image = opened(program);
    const why = `${path}: of another build, its checksum is not that of the program’s debug link`;
    expect(symbolsOf(image)).toMatchObject({ lookup: undefined, refused: [why] });
    const [finding] = inspectImage(image, () => symbolsOf(image));
    expect([finding?.hooks, finding?.reason]).toEqual([[], expect.stringContaining(`; ${why}`)]);
  });

  it('behind the wrong file come the right ones of the next place', (context) => {
    const { folder, program, debug } = linked(context, 'second');
    place('/usr/bin/true', join(folder, 'program.debug'));
    place(debug, join(folder, '.debug/program.debug'));
    const { lookup, refused } = symbolsOf(opened(program));
    expect([lookup?.(['SSL_read']).size, refused.length]).toEqual([1, 1]);
  });

  it('are not read from a pipe, a device or a folder, and nothing waits for one', (context) => {
    const { folder, program } = linked(context, 'pipe');
    const path = join(folder, 'program.debug');
    execFileSync('mkfifo', [path]);
    mkdirSync(join(folder, '.debug/program.debug'), { recursive: true });
    expect(symbolsOf(opened(program)).refused).toEqual([
      `${path}: it cannot be read`,
      `${join(folder, '.debug/program.debug')}: it cannot be read`,
    ]);
  });

  it('that are no ELF file though the checksum fits are refused', (context) => {
    const { folder, program } = linked(context, 'text');
    const path = join(folder, 'program.debug');
    writeFileSync(path, 'no symbols at all');
    execFileSync('objcopy', ['--remove-section=.gnu_debuglink', program]);
    execFileSync('objcopy', [`--add-gnu-debuglink=${path}`, program]);
    expect(symbolsOf(opened(program)).refused).toEqual([expect.stringContaining('not an ELF file')]);
  });
});

describe('a debug link', () => {
  it.each(['../program.debug', '/etc/passwd', '..', '.', ''])('that leads elsewhere is none: "%s"', (name) => {
    const file = join(directory, 'odd');
    const debug = join(directory, 'a-name-with-room-for-others');
    writeFileSync(debug, 'x');
    execFileSync('objcopy', ['--remove-section=.gnu_debuglink', '/usr/bin/true', file]);
    execFileSync('objcopy', [`--add-gnu-debuglink=${debug}`, file]);
    expect(readDebugLink(opened(file).elf)?.name).toBe('a-name-with-room-for-others');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('a-name-with-room-for-others');
    bytes.fill(0, at, at + 28).write(name, at);
    writeFileSync(file, bytes);
    expect(readDebugLink(opened(file).elf)).toBeUndefined();
    expect(symbolsByDebugLink(opened(file).elf, [])).toMatchObject({ lookup: undefined, refused: [] });
  });

  it('is looked for where GDB does, in its order', () => {
    expect(debugLinkPaths({ root: '/proc/7/root', path: '/usr/bin/x' }, 'x.debug', ['/usr/lib/debug'])).toEqual([
      '/usr/bin/x.debug',
      '/usr/bin/.debug/x.debug',
      '/usr/lib/debug/usr/bin/x.debug',
    ]);
  });

  it('is meant in the file system that the process sees', () => {
    const root = `/proc/${process.pid}/root`;
    expect(programPlace(`${root}/opt/a/lib.so`)).toEqual({ root, path: '/opt/a/lib.so' });
    expect(programPlace(`/proc/${process.pid}/exe`)).toEqual({ root, path: process.execPath });
    expect(programPlace('/opt/a/program')).toEqual({ root: '', path: '/opt/a/program' });
    expect([programPlace('/proc/4194305/exe'), programPlace('')]).toEqual([undefined, undefined]);
  });
});
