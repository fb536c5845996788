import { expect, test } from 'vitest';
import { tellingLines } from '../src/verifier-log.ts';

const LOG = `libbpf: prog 'one': BPF program load failed: Permission denied
libbpf: prog 'one': -- BEGIN PROG LOAD LOG --
0: R1=ctx(off=0,imm=0) R10=fp0
; return (int)*value;
7: (79) r0 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
-- END PROG LOAD LOG --
libbpf: prog 'one': failed to load: -13
libbpf: failed to load object 'x'
`;

test('names the refused program and keeps the three lines before the statistics', () => {
  expect(tellingLines(LOG)).toBe(
    "program 'one' was refused: ; return (int)*value;; 7: (79) r0 = *(u64 *)(r0 +0); R0 invalid mem access 'map_value_or_null'",
  );
});

test('takes the last program where several were refused', () => {
  expect(tellingLines(LOG + LOG.replaceAll("'one'", "'two'"))).toContain("program 'two' was refused");
});

test('a log that was cut inside still tells its last line', () => {
  expect(tellingLines(LOG.slice(0, LOG.indexOf('processed')))).toContain('invalid mem access');
});

test('says nothing about output that holds no verifier log', () => {
  expect(tellingLines('libbpf: elf: failed to open /nope: No such file or directory\n')).toBe('');
});
