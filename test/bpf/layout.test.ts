// The generated layout against the compiler's: a C program prints offsetof and sizeof of every shared struct.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CONNECTION_KEY_LAYOUT,
  CONNECTION_LAYOUT,
  COUNTER_SLOTS,
  COUNTERS,
  FACT_CHAINS_LAYOUT,
  FACTS_LAYOUT,
  MAX_CALL_BYTES,
  MAX_CHUNK_BYTES,
  PROCESS_LAYOUT,
  RECORD_LAYOUT,
  SKIP_LAYOUT,
} from '../../src/record/layout.gen.ts';
import { folder, ROOT } from './kit.ts';

const LAYOUTS = {
  tr_record: RECORD_LAYOUT,
  tr_process: PROCESS_LAYOUT,
  tr_conn_key: CONNECTION_KEY_LAYOUT,
  tr_conn: CONNECTION_LAYOUT,
  tr_skip: SKIP_LAYOUT,
  tr_facts: FACTS_LAYOUT,
  tr_fact_layout: FACT_CHAINS_LAYOUT,
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function printer(): string {
  const lines = Object.entries(LAYOUTS).flatMap(([struct, layout]) =>
    Object.keys(layout).map((field) => {
      const value = field === 'sizeBytes' ? `sizeof(struct ${struct})` : `offsetof(struct ${struct}, ${snake(field)})`;
      return `printf("${struct} ${field} %zu\\n", ${value});`;
    }),
  );
  const includes = ['"event.h"', '"tables.h"', '<stddef.h>', '<stdio.h>'].map((name) => `#include ${name}\n`).join('');
  return `${includes}int main(void) {\n${lines.join('\n')}\nreturn 0; }\n`;
}

describe('the generated layout', () => {
  it('has the offsets and sizes that the compiler gives', () => {
    const source = join(folder, 'offsets.c');
    writeFileSync(source, printer());
    execFileSync('cc', ['-I', join(ROOT, 'bpf'), '-o', join(folder, 'offsets'), source]);
    const got = execFileSync(join(folder, 'offsets'), { encoding: 'utf8' }).trim().split('\n');
    const want = Object.entries(LAYOUTS).flatMap(([struct, layout]) =>
      Object.entries(layout).map(([field, value]) => `${struct} ${field} ${value}`),
    );
    expect(got).toEqual(want);
  });

  it('is up to date with the headers', () => {
    const check = spawnSync('node', [join(ROOT, 'scripts/gen-layout.mjs'), '--check'], { encoding: 'utf8' });
    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });

  it('has room for every counter and bounds that fit together', () => {
    expect(Math.max(...COUNTERS.map((counter) => counter.id))).toBeLessThan(COUNTER_SLOTS);
    expect(new Set(COUNTERS.map((counter) => counter.name)).size).toBe(COUNTERS.length);
    expect(MAX_CALL_BYTES % MAX_CHUNK_BYTES).toBe(0);
    expect(MAX_CALL_BYTES).toBeGreaterThanOrEqual(4 * 1024 * 1024);
  });
});
