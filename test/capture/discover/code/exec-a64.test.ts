import { describe, expect, it } from 'vitest';
import { entryStateA64, executeA64, STACK_POINTER } from '../../../../src/capture/discover/code/exec-a64.ts';
import { argument, constant, type Flow, type State, type Trace } from '../../../../src/capture/discover/code/values.ts';

function run(...words: number[]): { state: State; trace: Trace; flow: Flow } {
  const state = entryStateA64();
  const trace: Trace = { calls: [], loads: [], stores: [] };
  let flow: Flow = { kind: 'next' };
  words.forEach((word, i) => {
    flow = executeA64(word, 0x1000 + i * 4, state, trace);
  });
  return { state, trace, flow };
}

describe('the effect of AArch64 instructions', () => {
  it('follows an argument through the frame and back', () => {
    // stp x29,x30,[sp,#-32]!; str x0,[sp,#16]; ldr x1,[sp,#16]; ldp x29,x30,[sp],#32
    const { state } = run(0xa9be7bfd, 0xf9000be0, 0xf9400be1, 0xa8c27bfd);
    expect(state.registers[1]).toEqual(argument(0));
    expect(state.registers[29]).toEqual({ kind: 'saved', register: 29 });
    expect(state.registers[STACK_POINTER]).toEqual({ kind: 'stack' });
  });

  it('builds constants and addresses', () => {
    // mov w0,#16; mov w1,wzr; mov w2,#226; movz w4,#0x3fd; movk w4,#1,lsl#16; adrp x3,+1 page; add x3,x3,#0x10; mov w5,#-1
    const words = [0x52800200, 0x2a1f03e1, 0x52801c42, 0x52807fa4, 0x72a00024, 0xb0000003, 0x91004063, 0x12800005];
    expect(run(...words).state.registers.slice(0, 6)).toEqual([16, 0, 226, 0x2010, 0x103fd, 0xffff_ffff].map(constant));
  });

  it('reads repeated bit patterns', () => {
    // mov w0,#0xff00ff00 (orr w0,wzr,#…)
    expect(run(0x32089fe0).state.registers[0]).toEqual(constant(0xff00ff00));
  });

  it('knows through which table an indirect call goes, and what a call destroys', () => {
    // ldr x8,[x0]; ldr x8,[x8,#0x48]; blr x8
    const { trace, state } = run(0xf9400008, 0xf9402508, 0xd63f0100);
    expect(trace.calls[0]?.through).toEqual({ base: { kind: 'load', base: argument(0), disp: 0 }, disp: 0x48 });
    expect(state.registers[0]?.kind).toBe('unknown');
    expect(state.registers[19]).toEqual({ kind: 'saved', register: 19 });
  });

  it('notes both words of a pair, also of vector registers', () => {
    // stp x1,x2,[x0,#0x80]; str q0,[x0,#0x20]
    expect(run(0xa9080801, 0x3d800800).trace.stores.map((s) => s.disp)).toEqual([0x80, 0x88, 0x20]);
  });

  it.each([
    [0x94000002, { kind: 'next' }],
    [0x14000002, { kind: 'jump', target: 0x1008 }],
    [0x54000040, { kind: 'branch', target: 0x1008 }],
    [0xb4ffffe0, { kind: 'branch', target: 0xffc }],
    [0x36000040, { kind: 'branch', target: 0x1008 }],
    [0xd65f03c0, { kind: 'return' }],
    [0xd65f0bff, { kind: 'return' }],
    [0xd61f0100, { kind: 'indirect' }],
    [0xd4200020, { kind: 'stop' }],
    [0xd503201f, { kind: 'next' }],
  ])('%i leads to %j', (word, flow) => {
    expect(run(word).flow).toEqual(flow);
  });
});
