import { expect, test } from 'vitest';
import { formatDoctor } from '../../src/cli/doctor.ts';

test('names are aligned, a remedy stands below what it mends', () => {
  const text = formatDoctor([
    { name: 'kernel', state: 'ok', seen: '6.18' },
    { name: 'type information', state: 'reduced', seen: 'absent', remedy: 'Use a kernel with BTF.' },
    { name: 'rights', state: 'missing', seen: 'missing CAP_BPF', remedy: 'Run it as root.' },
  ]);
  expect(text).toBe(
    [
      'ok       kernel            6.18',
      'reduced  type information  absent',
      '                           → Use a kernel with BTF.',
      'MISSING  rights            missing CAP_BPF',
      '                           → Run it as root.',
    ].join('\n'),
  );
});
