import { describe, expect, it } from 'vitest';
import { SEEK_KEEP_BYTES } from '../../../src/protocols/http1/limits.ts';
import { StartSeeker } from '../../../src/protocols/http1/start-seeker.ts';
import { bytesOf } from '../../kit/records.ts';

describe('StartSeeker', () => {
  it('says whether the start line was the first thing seen', () => {
    const seeker = new StartSeeker(true);
    seeker.read(bytesOf('\r\n'), 0, undefined);
    seeker.read(bytesOf('GET / HTTP/1.1\r\n'), 0, undefined);
    expect([seeker.start?.kind, seeker.isAtOnce]).toEqual(['request', true]);
    seeker.begin(true);
    seeker.read(bytesOf('xGET / HTTP/1.1\r\n'), 0, undefined);
    expect([seeker.start?.kind, seeker.isAtOnce]).toEqual(['request', false]);
  });

  it('believes any method at a known start, and only known ones where a hole may have bitten it off', () => {
    const methodOf = (isAligned: boolean, line: string): string | undefined => {
      const seeker = new StartSeeker(isAligned);
      seeker.read(bytesOf(`${line}\r\n`), 0, undefined);
      return seeker.start?.kind === 'request' ? seeker.start.method : undefined;
    };
    expect(methodOf(true, 'BREW /pot HTTP/1.1')).toBe('BREW');
    expect(methodOf(false, 'ET /page HTTP/1.1')).toBeUndefined();
    expect(methodOf(false, 'GET /page HTTP/1.1')).toBe('GET');
  });

  it('finds a start line behind an endless line that is cut anywhere', () => {
    const seeker = new StartSeeker(true);
    for (let count = 0; count < 5; count++) seeker.read(new Uint8Array(SEEK_KEEP_BYTES).fill(0x7a), 0, 'response');
    seeker.read(bytesOf('zzHTTP/1.1 2'), 0, 'response');
    seeker.read(bytesOf('04 No Content\r\n'), 0, 'response');
    expect(seeker.start).toMatchObject({ status: 204 });
    expect(seeker.isAtOnce).toBe(false);
  });

  it('knows when what it sees cannot be a status line', () => {
    const seeker = new StartSeeker(true);
    expect(seeker.cannotBeStatus(bytesOf('HTT'))).toBe(false);
    expect(seeker.cannotBeStatus(bytesOf('HTX'))).toBe(true);
    seeker.read(bytesOf('HT'), 0, 'response');
    expect(seeker.cannotBeStatus(bytesOf('TP/1.1'))).toBe(false);
    expect(seeker.cannotBeStatus(bytesOf('ML>'))).toBe(true);
  });
});
