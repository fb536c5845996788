import { describe, expect, it } from 'vitest';
import { BUFFER, hookAt, hooksFor } from '../../../src/capture/targets/hooks.ts';
import { CODE_ADDRESS, CODE_OFFSET, hexBytes, tinyImage } from '../discover/tiny-elf.ts';

const elf = tinyImage({ code: hexBytes('f3 0f 1e fa 55 90 90 c3 00 00 00 00') });

describe('hooks', () => {
  it('stand at file offsets, their probes behind a landing pad', () => {
    expect(hookAt(elf, { symbol: 'SSL_read', role: 'read', args: BUFFER }, CODE_ADDRESS, 0xe80)).toEqual([
      {
        role: 'read',
        symbol: 'SSL_read',
        fileOffset: CODE_OFFSET,
        attachOffset: CODE_OFFSET + 4,
        args: { buf: 1, len: 2 },
        methodLow12: 0xe80,
      },
    ]);
  });

  it('do not exist outside the file', () => {
    expect(hookAt(elf, { symbol: 'SSL_free', role: 'free' }, 0x1234)).toEqual([]);
  });

  it('are made in the order of the table, for the functions that are there', () => {
    const symbols = new Map(['b', 'a'].map((name) => [name, { name, address: CODE_ADDRESS, sizeBytes: 0 }]));
    const specs = ['a', 'absent', 'b'].map((symbol) => ({ symbol, role: 'free' as const }));
    expect(hooksFor(elf, specs, symbols).map((h) => h.symbol)).toEqual(['a', 'b']);
  });
});
