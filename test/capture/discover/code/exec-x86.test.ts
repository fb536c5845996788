import { describe, expect, it } from 'vitest';
import { argsX86, entryStateX86, executeX86 } from '../../../../src/capture/discover/code/exec-x86.ts';
import { decodeX86 } from '../../../../src/capture/discover/code/insn-x86.ts';
import { argument, constant, type Flow, type State, type Trace } from '../../../../src/capture/discover/code/values.ts';
import { hexBytes } from '../tiny-elf.ts';

/** Runs instructions one after the other, as they stand. */
function run(code: string): { state: State; trace: Trace; flow: Flow } {
  const bytes = hexBytes(code);
  const state = entryStateX86();
  const trace: Trace = { calls: [], loads: [], stores: [] };
  let flow: Flow = { kind: 'next' };
  for (let at = 0; at < bytes.length; ) {
    const insn = decodeX86(bytes, at, 0x1000 + at)!;
    flow = executeX86(insn, state, trace);
    at += insn.length;
  }
  return { state, trace, flow };
}

const [RAX, RBX, RSP, RDI] = [0, 3, 4, 7];

describe('the effect of x86-64 instructions', () => {
  it('follows an argument through registers and the stack', () => {
    // push rbx; mov rbx, rdi; mov [rsp-8], rbx; mov rax, [rsp-8]; pop rbx
    const { state } = run('53 48 89 fb 48 89 5c 24 f8 48 8b 44 24 f8 5b');
    expect(state.registers[RAX]).toEqual(argument(0));
    expect(state.registers[RBX]).toEqual({ kind: 'saved', register: RBX });
    expect(state.registers[RSP]).toEqual({ kind: 'stack' });
  });

  it('knows the constants of an error call', () => {
    // mov edi,16; xor esi,esi; mov edx,226; lea rcx,[rip+0x100]; mov r8d,1021; call
    const { trace, state } = run(
      'bf 10 00 00 00 31 f6 ba e2 00 00 00 48 8d 0d 00 01 00 00 41 b8 fd 03 00 00 e8 00 00 00 00',
    );
    const [call] = trace.calls;
    expect(call?.args.slice(0, 5)).toEqual([16, 0, 226, 0x1113, 1021].map(constant));
    expect(call?.target).toBe(0x101e);
    expect(state.registers[RDI]?.kind).toBe('unknown');
  });

  it('knows through which table an indirect call goes', () => {
    // mov rax,[rdi]; call [rax+0x48]
    const [call] = run('48 8b 07 ff 50 48').trace.calls;
    expect(call?.through).toEqual({ base: { kind: 'load', base: argument(0), disp: 0 }, disp: 0x48 });
    expect(call?.args[2]).toEqual(argument(2));
  });

  it('follows a field of 16 bits, and one whose offset is added to its object', () => {
    // movzx eax, word [rdi+0x10]
    expect(run('0f b7 47 10').state.registers[RAX]).toEqual({ kind: 'load', base: argument(0), disp: 0x10 });
    // mov eax, 0x1e8; add rax, [rdi+0x30]
    const { state } = run('b8 e8 01 00 00 48 03 47 30');
    const s3 = { kind: 'load', base: argument(0), disp: 0x30 };
    expect(state.registers[RAX]).toEqual({ kind: 'sum', base: s3, disp: 0x1e8 });
    // add rax, [rdi+0x30]; movzx eax, bl: of unknown things nothing becomes known
    expect(run('48 03 47 30').state.registers[RAX]?.kind).toBe('unknown');
    expect(run('0f b6 c3').state.registers[RAX]?.kind).toBe('unknown');
  });

  it('makes ah no other register than a part of rax', () => {
    // mov ah, 1: register number 4 without REX
    expect(run('b4 01').state.registers[RSP]).toEqual({ kind: 'stack' });
    expect(run('b4 01').state.registers[RAX]?.kind).toBe('unknown');
  });

  it('keeps the stack pointer through vector code whose registers have its number', () => {
    // vmovdqu xmm4,[rdi]; vpshufb xmm4,xmm4,xmm4; movups [rdi+0x10],xmm4
    const { state, trace } = run('c5 fa 6f 27 c4 e2 59 00 e4 0f 11 67 10');
    expect(state.registers[RSP]).toEqual({ kind: 'stack' });
    expect(trace.stores).toMatchObject([{ base: argument(0), disp: 0x10 }]);
  });

  it('notes what memory is read and written', () => {
    // add [rdi+8], rax; cmp [rdi+0x10], rax; inc [rdi+0x18]; movzx eax, byte [rdi+0x20]
    const { trace } = run('48 01 47 08 48 39 47 10 48 ff 47 18 0f b6 47 20');
    expect(trace.stores.map((s) => s.disp)).toEqual([8, 0x18]);
    expect(trace.loads.map((l) => l.disp)).toEqual([8, 0x10, 0x18, 0x20]);
  });

  it.each([
    ['74 10', { kind: 'branch', target: 0x1012 }],
    ['0f 84 00 01 00 00', { kind: 'branch', target: 0x1106 }],
    ['eb fe', { kind: 'jump', target: 0x1000 }],
    ['c3', { kind: 'return' }],
    ['0f 0b', { kind: 'stop' }],
    ['0f b9 40 02', { kind: 'stop' }],
    ['cc', { kind: 'stop' }],
    ['ff e0', { kind: 'indirect' }],
    ['90', { kind: 'next' }],
  ])('%s leads to %j', (code, flow) => {
    expect(run(code).flow).toEqual(flow);
  });

  it('takes "rep movs" to argument 1 for a copy', () => {
    // mov rdi,rsi (argument 1); rep movsb
    expect(run('48 89 f7 f3 a4').state.hasCopied).toBe(true);
    expect(argsX86(run('f3 a4').state)[0]?.kind).toBe('unknown');
  });
});
