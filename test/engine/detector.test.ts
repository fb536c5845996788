import { describe, expect, it, vi } from 'vitest';
import { Detector } from '../../src/engine/detector.ts';
import { http1 } from '../../src/protocols/http1/index.ts';
import { bytesOf } from '../kit/records.ts';

describe('Detector', () => {
  it('replays what it held in the order in which it came, as copies', () => {
    const detector = new Detector(false);
    const input = bytesOf('GE');
    expect(detector.add('out', input, 1n).kind).toBe('more');
    input.fill(0);
    detector.gap('in', 5, 2n);
    expect(detector.add('out', bytesOf('T / HTTP/1.1\r\n'), 3n)).toMatchObject({
      kind: 'protocol',
      protocol: { name: 'http/1' },
    });
    expect(detector.take()).toEqual([
      { dir: 'out', tsNs: 1n, bytes: bytesOf('GE') },
      { dir: 'in', tsNs: 2n, lostBytes: 5 },
      { dir: 'out', tsNs: 3n, bytes: bytesOf('T / HTTP/1.1\r\n') },
    ]);
  });

  it('does not read over a hole', () => {
    const detector = new Detector(false);
    detector.add('out', bytesOf('GET / HT'), 1n);
    detector.gap('out', 1, 2n);
    expect(detector.add('out', bytesOf('TP/1.1\r\n'), 3n).kind).toBe('more');
  });

  it('knows the start of a client from the middle of something', () => {
    const fresh = new Detector(false);
    fresh.add('in', bytesOf('POST /x HTTP/1.1\r\n'), 1n);
    expect(fresh.isFromStart).toBe(true);
    const late = new Detector(false);
    late.add('in', bytesOf('tail"}POST /x HTTP/1.1\r\n'), 1n);
    expect(late.isFromStart).toBe(false);
  });

  it('looks at what comes byte by byte more rarely the more there is', () => {
    const look = vi.spyOn(http1, 'peek');
    const detector = new Detector(false);
    for (let count = 0; count < 8192; count++) detector.add('in', bytesOf('x'), 1n);
    const looks = look.mock.calls.length;
    look.mockRestore();
    expect(looks).toBeGreaterThan(256);
    expect(looks).toBeLessThan(512);
  });
});
