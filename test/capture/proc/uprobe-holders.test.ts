import { describe, expect, it } from 'vitest';
import { uprobeFileOf, uprobeHolders } from '../../../src/capture/proc/uprobe-holders.ts';

describe('who holds uprobes', () => {
  it('is told by the kind of a link, with the file where the kernel names it', () => {
    expect(uprobeFileOf('pos:\t0\nlink_type:\tuprobe_multi\nlink_id:\t7\npath:\t/usr/lib/libssl.so.3\n')).toBe(
      '/usr/lib/libssl.so.3',
    );
    expect(uprobeFileOf('link_type:\tuprobe_multi\nlink_id:\t7\n')).toBe('');
    expect(uprobeFileOf('link_type:\traw_tracepoint\ntp_name:\tsched_process_fork\n')).toBeUndefined();
    expect(uprobeFileOf('')).toBeUndefined();
  });

  it('leaves this process out', () => {
    expect(uprobeHolders().map((holder) => holder.pid)).not.toContain(process.pid);
  });
});
