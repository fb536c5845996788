import { describe, expect, it } from 'vitest';
import { readMappedFiles } from '../../../src/capture/proc/maps.ts';
import { isInMaps, isMappedByOthers } from '../../../src/capture/proc/sharers.ts';
import { startSleeper } from '../../kit/running.ts';

const MAPS = '7f00-7f01 r-xp 00000000 fe:01 12345      /usr/lib/libssl.so.3\n';

describe('sharers of a file', () => {
  it('device and inode must both agree, as whole numbers', () => {
    expect(isInMaps(MAPS, { dev: 'fe:01', inode: 12_345 })).toBe(true);
    expect(isInMaps(MAPS, { dev: 'fe:01', inode: 1234 })).toBe(false);
    expect(isInMaps(MAPS, { dev: 'fe:02', inode: 12_345 })).toBe(false);
  });

  it('a program that runs twice is shared, unless both are ours', async () => {
    using one = await startSleeper();
    using _two = await startSleeper();
    const files = readMappedFiles(one.pid);
    const program = files.ok ? files.value.find((file) => /sleep|coreutils|busybox/.test(file.path)) : undefined;
    if (program === undefined) throw new Error('sleep maps no program file');
    expect(isMappedByOthers(program, (pid) => pid === one.pid)).toBe(true);
  });

  it('a file that nobody maps is not shared', () => {
    expect(isMappedByOthers({ dev: 'ff:ff', inode: 1 }, () => false)).toBe(false);
  });
});
