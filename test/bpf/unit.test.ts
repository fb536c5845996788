// Runs unit.c: the kernel side as a plain program, without privilege. Its lines become the tests' results.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { buildProgram } from './kit.ts';

const arch = process.arch === 'arm64' ? 'arm64' : 'x86';

describe('the kernel side as a plain program', () => {
  it('keeps every promise that unit.c checks', () => {
    const program = buildProgram('unit.c', '-DTRACER_SHIM', `-D__TARGET_ARCH_${arch}`, '-fsanitize=address,undefined');
    // Records are kept to the end on purpose.
    const env = { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' };
    const { stdout, stderr, status } = spawnSync(program, { encoding: 'utf8', env });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(lines.length).toBe(46);
  });
});
