import { describe, expect, it } from 'vitest';
import { failFromError, readBounded, readLink } from '../../../src/capture/proc/attempt.ts';

describe('reading /proc', () => {
  it('reads a file that has no size', () => {
    const read = readBounded('/proc/self/comm', 1024);
    expect(read.ok && read.value.length).toBeGreaterThan(1);
  });

  it('stops at the limit', () => {
    const read = readBounded('/proc/self/status', 10);
    expect(read.ok && read.value.length).toBe(10);
  });

  it('answers "gone" for a process that does not exist', () => {
    expect(readBounded('/proc/4194305/stat', 10)).toMatchObject({ ok: false, why: 'gone' });
    expect(readLink('/proc/4194305/exe')).toMatchObject({ ok: false, why: 'gone' });
  });

  it.each([
    ['EACCES', 'denied'],
    ['EPERM', 'denied'],
    ['ESRCH', 'gone'],
    ['EIO', 'broken'],
  ])('turns %s into %s', (code, why) => {
    expect(failFromError(Object.assign(new Error(code), { code }), 'x')).toMatchObject({ ok: false, why });
  });

  it('throws on what is no system error', () => {
    expect(() => failFromError(new TypeError('bug'), 'x')).toThrow('bug');
  });
});
