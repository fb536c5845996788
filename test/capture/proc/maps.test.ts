import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMaps, readMappedFiles } from '../../../src/capture/proc/maps.ts';

const TEXT = `00400000-00452000 r--p 00000000 08:02 173521                             /usr/bin/dbus-daemon
00452000-00552000 r-xp 00052000 08:02 173521                             /usr/bin/dbus-daemon
00552000-00652000 r-xp 00152000 08:02 173521                             /usr/bin/dbus-daemon
35b1800000-35b1820000 r-xp 00000000 fe:00 135522                         /usr/lib64/a lib (x).so (deleted)
35b1a21000-35b1a22000 rw-p 00000000 00:00 0
7f0000000000-7f0000001000 r-xp 00000000 00:01 1033                       /memfd:jit (deleted)
7f1000000000-7f1000001000 r-xp 00000000 08:02 99                         /tmp/new\\012line
7ffd2c1f0000-7ffd2c1f2000 r-xp 00000000 00:00 0                          [vdso]
garbage`;

describe('/proc/PID/maps', () => {
  it('gives each file with executable pages once, with its first executable mapping', () => {
    expect(parseMaps(TEXT).map((f) => [f.dev, f.inode, f.path, f.range, f.fileOffset])).toEqual([
      ['08:02', 173521, '/usr/bin/dbus-daemon', '452000-552000', 0x52000],
      ['fe:00', 135522, '/usr/lib64/a lib (x).so', '35b1800000-35b1820000', 0],
      ['00:01', 1033, '/memfd:jit', '7f0000000000-7f0000001000', 0],
      ['08:02', 99, '/tmp/new\nline', '7f1000000000-7f1000001000', 0],
    ]);
  });

  it('names a range as map_files does, without padding', () => {
    const [program] = parseMaps(readFileSync('/proc/self/maps', 'utf8'));
    expect(readdirSync('/proc/self/map_files')).toContain(program?.range);
  });

  it('tells deleted and nameless files', () => {
    expect(parseMaps(TEXT).map((f) => [f.isDeleted, f.isMemfd])).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, false],
    ]);
  });

  it('finds the program of this process', () => {
    const files = readMappedFiles(process.pid);
    expect(files.ok && files.value.some((f) => f.path.endsWith('/node'))).toBe(true);
  });

  it('answers "gone" for no process', () => {
    expect(readMappedFiles(4194305)).toMatchObject({ ok: false, why: 'gone' });
  });
});
