import { describe, expect, it } from 'vitest';
import {
  add,
  argument,
  cloneState,
  constant,
  fieldOfArg0,
  isCopyToArg1,
  load,
  placeOf,
  type State,
  same,
  store,
  type Trace,
  unknown,
  type Value,
} from '../../../../src/capture/discover/code/values.ts';

const stack: Value = { kind: 'stack' };
const field = (base: Value, disp: number): Value => ({ kind: 'load', base, disp });
const emptyTrace = (): Trace => ({ calls: [], loads: [], stores: [] });
const emptyState = (): State => ({ registers: [], stack: new Map(), hasCopied: false });

describe('symbolic values', () => {
  it('add up constants and displacements, and come back to where they were', () => {
    expect(add(constant(3), 4)).toEqual(constant(7));
    expect(add(add(stack, -8), 8)).toBe(stack);
    expect(placeOf(add(argument(0), 0x30), 8)).toEqual({ base: argument(0), disp: 0x38 });
  });

  it('are the same by structure, unknown ones only by identity', () => {
    expect(same(field(field(argument(0), 0x30), 8), field(field(argument(0), 0x30), 8))).toBe(true);
    expect(same(field(argument(0), 8), field(argument(1), 8))).toBe(false);
    const u = unknown();
    expect([same(u, u), same(u, unknown())]).toEqual([true, false]);
    expect(fieldOfArg0(field(argument(0), 0x30))).toBe(0x30);
    expect(fieldOfArg0(field(argument(1), 0x30))).toBeUndefined();
  });

  it('go through the stack, and are noted when they go elsewhere', () => {
    const [state, trace] = [emptyState(), emptyTrace()];
    store(state, trace, 1, { base: stack, disp: -16 }, constant(5));
    expect(load(state, trace, 2, { base: stack, disp: -16 })).toEqual(constant(5));
    store(state, trace, 3, { base: argument(0), disp: 8 }, constant(5));
    expect(load(state, trace, 4, { base: argument(0), disp: 8 })).toEqual(field(argument(0), 8));
    expect(trace.stores).toEqual([{ at: 3, base: argument(0), disp: 8, isAfterCopy: false, value: constant(5) }]);
    const copy = cloneState(state);
    copy.stack.clear();
    expect(state.stack.size).toBe(1);
  });

  it('show a copy into the caller’s buffer', () => {
    expect(isCopyToArg1([argument(1), field(argument(0), 8)])).toBe(true);
    expect(isCopyToArg1([argument(1), argument(2)])).toBe(false);
    expect(isCopyToArg1([argument(0), field(argument(0), 8)])).toBe(false);
  });
});
