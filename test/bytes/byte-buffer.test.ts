import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../src/bytes/byte-buffer.ts';

describe('ByteBuffer', () => {
  it('keeps copies in order and drops from the front', () => {
    const buffer = new ByteBuffer(10);
    const input = Uint8Array.of(1, 2, 3);
    buffer.append(input);
    input[0] = 9;
    buffer.append(Uint8Array.of(4));
    expect([...buffer.view()]).toEqual([1, 2, 3, 4]);
    buffer.drop(2);
    expect([...buffer.view()]).toEqual([3, 4]);
    expect([...buffer.take()]).toEqual([3, 4]);
    expect(buffer.length).toBe(0);
  });

  it('takes nothing of what does not fit', () => {
    const buffer = new ByteBuffer(4);
    expect(buffer.append(Uint8Array.of(1, 2, 3))).toBe(true);
    expect(buffer.append(Uint8Array.of(4, 5))).toBe(false);
    expect([...buffer.view()]).toEqual([1, 2, 3]);
    expect(buffer.room).toBe(1);
  });

  it('hands over memory that it no longer touches', () => {
    const buffer = new ByteBuffer(100);
    buffer.append(Uint8Array.of(1));
    const taken = buffer.take();
    buffer.append(Uint8Array.of(2));
    expect([...taken]).toEqual([1]);
  });
});
