import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import { inspectOffsets, SUPPLIED_FUNCTIONS } from '../../../src/capture/targets/by-offset.ts';
import { CODE_OFFSET, tinyElf } from '../discover/tiny-elf.ts';

/** Eight functions `push rbp; ret`, 16 bytes apart. */
const code = Buffer.alloc(128, 0xcc);
for (let at = 0; at < code.length; at += 16) code.set([0x55, 0xc3], at);
const at = (n: number): number => CODE_OFFSET + 16 * n;

const inspect = (offsets: Readonly<Record<string, number>>, text = '') => {
  const answer = readImage(bytesSource(tinyElf({ code, data: Buffer.from(`\0${text}\0`) })));
  if (!answer.ok) throw new Error(answer.why);
  const list = Object.entries(offsets).map(([symbol, fileOffset]) => ({ symbol, fileOffset }));
  const found = inspectOffsets(answer.image, list);
  return found.ok ? found.finding : found.why;
};

describe('functions by given offsets', () => {
  it('have the calling shapes of their names', () => {
    const offsets = { tls_open_app_data: at(1), tls_write_app_data: at(2), tls_free: at(3) };
    const finding = inspect(offsets, 'a/ssl/ssl_lib.cc');
    expect(finding).toMatchObject({
      library: 'boringssl',
      hooks: [
        { role: 'open', fileOffset: at(1), args: { out: 1 } },
        { role: 'seal', fileOffset: at(2), args: { done: 2, buf: 3, len: 4 } },
        { role: 'free', fileOffset: at(3) },
      ],
      reason: 'tls_open_app_data, tls_write_app_data, tls_free by given offset',
    });
  });

  it('take the arguments of ssl_write_internal from the version, and are refused without', () => {
    const offsets = { ssl_read_internal: at(1), ssl_write_internal: at(2) };
    const done = ['OpenSSL 3.0.19 27 Jan 2026', 'OpenSSL 3.5.1 1 Jul 2025'].map((text) => {
      const finding = inspect(offsets, text);
      return typeof finding === 'string' ? finding : finding.hooks[1]?.args?.done;
    });
    expect(done).toEqual([3, 4]);
    expect(inspect(offsets)).toBe('ssl_write_internal: its parameters depend on OpenSSL’s version, which is not known');
  });

  it('must read and write', () => {
    expect(inspect({ SSL_read: at(1) })).toBe('no function that writes data is given');
    expect(inspect({ SSL_write: at(1), SSL_free: at(2) })).toBe('no function that reads data is given');
  });

  it('must be function entries', () => {
    expect(inspect({ SSL_read: at(1) + 1, SSL_write: at(2) })).toMatch(/^SSL_read=0x1011: /);
  });

  it('have these names', () => {
    expect(SUPPLIED_FUNCTIONS).toContain('SSL_read');
    expect(SUPPLIED_FUNCTIONS).toHaveLength(13);
  });
});
