import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FINDINGS_VERSION, type FindingsCache, openFindingsCache } from '../../../src/capture/discover/cache.ts';
import type { FileFindings } from '../../../src/capture/discover/findings.ts';
import { CODE_OFFSET, tinyImage } from './tiny-elf.ts';

let directory: string;
let cache: FindingsCache;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'tracer-cache-')), 'sub');
  cache = openFindingsCache({ directory });
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

/** 8 MiB of code, of which `first` is the first byte. */
const program = (first = 0x55, sizeBytes = 9 * 1024 * 1024) => {
  const code = new Uint8Array(sizeBytes);
  code[0] = first;
  return tinyImage({ code });
};

const FINDINGS: FileFindings = {
  findings: [
    {
      library: 'boringssl',
      linkage: 'static',
      hooks: [
        {
          role: 'read',
          symbol: 'SSL_read',
          fileOffset: CODE_OFFSET,
          attachOffset: CODE_OFFSET,
          args: { buf: 1, len: 2 },
          methodLow12: 0xe80,
        },
      ],
      confidence: 'high',
      reason: 'because',
      evidence: ['seen'],
    },
  ],
};

const entry = (): string => join(directory, readdirSync(directory)[0]!);

describe('findings kept on disk', () => {
  it('gives back what was put, for its owner only, and "nothing found", too', () => {
    expect(cache.get(program())).toBeUndefined();
    cache.put(program(), FINDINGS);
    expect(cache.get(program())).toEqual(FINDINGS);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(statSync(entry()).mode & 0o777).toBe(0o600);
    cache.put(program(), { findings: [] });
    expect(cache.get(program())).toEqual({ findings: [] });
  });

  it('does not keep that a library was not found: debug symbols may be installed any time', () => {
    const [found] = FINDINGS.findings;
    const unfound = (library: 'boringssl' | 'rustls'): FileFindings => ({
      findings: [{ ...found!, library, hooks: [] }],
    });
    cache.put(program(), unfound('boringssl'));
    expect(cache.get(program())).toBeUndefined();
    cache.put(program(), unfound('rustls'));
    expect(cache.get(program())).toEqual(unfound('rustls'));
  });

  it('does not keep small files', () => {
    cache.put(program(0x55, 1000), FINDINGS);
    expect(cache.get(program(0x55, 1000))).toBeUndefined();
  });

  it('does not take one program for another', () => {
    cache.put(program(0x55), FINDINGS);
    expect(cache.get(program(0x53))).toBeUndefined();
  });

  it.each([
    ['cut', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace(`"version":${FINDINGS_VERSION}`, '"version":0')],
    ['with another offset', (text: string) => text.replaceAll(String(CODE_OFFSET), String(CODE_OFFSET + 1))],
    ['with an unknown role', (text: string) => text.replace('"read"', '"peek"')],
    ['of another shape', () => `{"findings":{"findings":[{"hooks":3}]},"version":${FINDINGS_VERSION},"proof":[]}`],
  ])('ignores an entry that is %s', (_, damage) => {
    cache.put(program(), FINDINGS);
    writeFileSync(entry(), damage(readFileSync(entry(), 'utf8')));
    expect(cache.get(program())).toBeUndefined();
  });

  it('goes without where it cannot be written', () => {
    mkdirSync(directory, { recursive: true });
    const blocked = openFindingsCache({ directory: join(directory, 'file', 'below') });
    writeFileSync(join(directory, 'file'), '');
    blocked.put(program(), FINDINGS);
    expect(blocked.get(program())).toBeUndefined();
  });
});
