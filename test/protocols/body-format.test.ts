import { describe, expect, it } from 'vitest';
import { bodyFormatOf } from '../../src/protocols/body-format.ts';

describe('bodyFormatOf', () => {
  it('goes by media type without parameters', () => {
    expect(bodyFormatOf('Text/Event-Stream; charset=utf-8')?.name).toBe('sse');
    expect(bodyFormatOf('application/json')).toBeUndefined();
    expect(bodyFormatOf(undefined)).toBeUndefined();
  });
});
