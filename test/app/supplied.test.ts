import { expect, it } from 'vitest';
import { readSupplied } from '../../src/app/supplied.ts';

const TARGETS = { pids: [process.pid], programs: [] };

it('a symbol file that cannot be used ends in one line with the reason', () => {
  const settings = { symbolFiles: ['/etc/hostname'], offsets: [] };
  expect(() => readSupplied(settings, TARGETS)).toThrow(
    expect.objectContaining({ code: 'E_TARGET_SYMBOLS', message: expect.stringContaining('/etc/hostname: neither a') }),
  );
});

it('offsets without a file are those of the targets’ programs', () => {
  const offsets = [{ file: undefined, symbol: 'SSL_read', fileOffset: 1 }];
  expect(() => readSupplied({ symbolFiles: [], offsets }, TARGETS)).toThrow(
    expect.objectContaining({
      code: 'E_TARGET_OFFSET',
      message: expect.stringContaining(`/proc/${process.pid}/exe: SSL_read=0x1: `),
    }),
  );
});

it('of a program to be started they are those of the file that PATH leads to', () => {
  const offsets = [{ file: undefined, symbol: 'SSL_read', fileOffset: 1 }];
  expect(() => readSupplied({ symbolFiles: [], offsets }, { pids: [1], programs: ['sh'] })).toThrow(
    '/sh: SSL_read=0x1: ',
  );
});

it('nothing given is nothing to look for', () => {
  expect(readSupplied({ symbolFiles: [], offsets: [] }, TARGETS)).toMatchObject({ symbolFiles: [], offsets: [] });
});
