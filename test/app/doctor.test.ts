import { expect, test } from 'vitest';
import { examine } from '../../src/app/doctor.ts';

test('each thing has one line, and each that is missing a remedy', () => {
  const lines = examine();
  const names = lines.map((line) => line.name);
  expect(names.slice(0, 5)).toEqual(['built parts', 'kernel', 'rights', 'lockdown', 'type information']);
  expect(names).toEqual(
    expect.arrayContaining(['container', 'locked memory', 'ring buffer budget', 'clang', 'other uprobes']),
  );
  for (const line of lines) {
    expect(line.seen).not.toBe('');
    expect(line.seen).not.toContain('\n');
    if (line.state === 'missing') expect(line.remedy).toMatch(/^[A-Z]\w+ /);
  }
});
