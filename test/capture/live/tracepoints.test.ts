import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTracepoint } from '../../../src/capture/live/tracepoints.ts';

const strings = '\0int\0btf_trace_sock_send_length\0btf_trace_sched_process_forked\0my_btf_trace_tcp_probe\0';

test('a tracepoint is there when its own type is, not one whose name begins or ends alike', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tracer-btf-')), 'vmlinux');
  writeFileSync(path, strings);
  const asked = ['sock_send_length', 'sock_send', 'sched_process_fork', 'tcp_probe'];
  expect(asked.map((name) => hasTracepoint(name, path))).toEqual([true, false, false, false]);
});

test('a kernel without type information has none that can be told', () => {
  expect(hasTracepoint('sock_send_length', '/nonexistent/vmlinux')).toBe(false);
});
