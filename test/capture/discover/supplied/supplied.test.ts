import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FindingsCache } from '../../../../src/capture/discover/cache.ts';
import { offsetOf } from '../../../../src/capture/discover/elf.ts';
import { openOffsets, openSupplied, withSupplied } from '../../../../src/capture/discover/supplied/supplied.ts';
import { openSymbolFile } from '../../../../src/capture/discover/supplied/symbol-file.ts';
import { buildSeparated, opened } from '../../../kit/binaries/separated.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-supplied-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Notes what is kept. */
const spy = (): FindingsCache & { kept: number } => ({
  kept: 0,
  get: () => ({ findings: [] }),
  put() {
    this.kept++;
  },
});

describe('what a person adds to discovery', () => {
  it('symbols are used for the program of their build, before the cache, and not kept', (context) => {
    const { program, debug } = buildSeparated(context, directory);
    const { elf } = opened(program);
    const file = openSymbolFile(debug);
    if (!file.ok) throw new Error(file.detail);
    const supplied = openSupplied([file.value], []);
    const cache = spy();
    const both = withSupplied(cache, supplied);
    expect(both.get(opened('/usr/bin/true').elf)).toEqual({ findings: [] });
    expect([...supplied.unused]).toEqual([debug]);
    expect(both.get(elf)?.findings[0]?.reason).toContain('by separate debug symbols');
    expect([...supplied.unused]).toEqual([]);
    both.put(elf, { findings: [] });
    expect(cache.kept).toBe(0);
    both.put(opened('/usr/bin/true').elf, { findings: [] });
    expect(cache.kept).toBe(1);
  });

  it('offsets are used for the very file', (context) => {
    const { program, symbols } = buildSeparated(context, directory, '-no-pie');
    const { elf } = opened(program);
    const offset = (symbol: string) => ({ symbol, fileOffset: offsetOf(elf, symbols.get(symbol) ?? 0) ?? 0 });
    const offsets = openOffsets(program, [offset('SSL_read'), offset('SSL_write')]);
    if (!offsets.ok) throw new Error(offsets.detail);
    const both = withSupplied(undefined, openSupplied([], [offsets.value]));
    expect(both.get(elf)?.findings[0]?.reason).toBe('SSL_read, SSL_write by given offset');
    expect(both.get(opened('/usr/bin/true').elf)).toBeUndefined();
  });

  it('offsets that cannot be are refused with the file’s reason', () => {
    const refused = openOffsets('/usr/bin/true', [{ symbol: 'SSL_read', fileOffset: 1 }]);
    expect(refused.ok ? '' : refused.detail).toMatch(/^SSL_read=0x1: /);
    const none = openOffsets('/etc/hostname', []);
    expect(none.ok ? '' : none.detail).toBe('not an ELF file');
  });
});
