import { describe, expect, it } from 'vitest';
import { inspectAsMounter, mounterOf, parseAnswer } from '../../../src/capture/discover/as-mounter.ts';
import { readMappedFiles } from '../../../src/capture/proc/maps.ts';

const MOUNTS = [
  '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,user_id=7,group_id=7',
  '43 27 0:39 / /tmp/.mount_CursorX1 rw,nosuid,nodev,relatime shared:8 master:2 - fuse.Cursor.AppImage Cursor.AppImage ro,user_id=1000,group_id=1001',
  '44 27 0:40 / /mnt/exfat rw - fuseblk /dev/sdb1 rw,user_id=0,group_id=0,allow_other,blksize=4096',
  '45 27 0:41 / /mnt/odd rw - fuse.odd odd rw',
].join('\n');

describe('who may look into a FUSE mount', () => {
  it('is its owner, found by the device number that maps shows in hex', () => {
    expect(mounterOf(MOUNTS, '00:27')).toEqual({ uid: 1000, gid: 1001 });
    expect(mounterOf(MOUNTS, '00:28')).toEqual({ uid: 0, gid: 0 });
  });

  it('is not asked for other file systems, mounts that are not there, or that do not tell', () => {
    for (const dev of ['fe:00', '00:99', '00:29', '', 'x']) expect(mounterOf(MOUNTS, dev)).toBeUndefined();
    expect(mounterOf('', '00:27')).toBeUndefined();
  });

  it('is nobody for a program on an ordinary file system', () => {
    const files = readMappedFiles(process.pid);
    const [file] = files.ok ? files.value : [];
    expect(inspectAsMounter(process.pid, file!, file!.path)).toBeUndefined();
  });
});

describe('what the owner’s process answers', () => {
  it('is taken when it has the shape of findings', () => {
    const hook = { role: 'read', symbol: 'SSL_read', fileOffset: 4096, attachOffset: 4096, args: { buf: 1, len: 2 } };
    const finding = {
      library: 'openssl',
      linkage: 'static',
      hooks: [hook],
      confidence: 'high',
      reason: 'r',
      evidence: [],
    };
    expect(parseAnswer(JSON.stringify({ buildId: 'ab', findings: [finding] }))?.findings).toEqual([finding]);
  });

  it.each(['', 'null', '{"findings":1}', '{"findings":[{"library":"openssl"}]}', '{', undefined])(
    'is refused otherwise: %s',
    (text) => expect(parseAnswer(text)).toBeUndefined(),
  );
});
