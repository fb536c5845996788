import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseIdentity, lookUpUser } from '../../src/app/identity.ts';

test('--user wins over everything', () => {
  expect(chooseIdentity({ user: 'daemon', targetPid: 1 }, { SUDO_UID: '65534' }, 'attach')).toMatchObject({
    uid: 1,
    name: 'daemon',
  });
});

test('called through sudo, the tracer goes on as who called it', () => {
  const identity = chooseIdentity({ targetPid: 1 }, { SUDO_UID: '1' }, 'attach');
  expect(identity).toMatchObject({ uid: 1, gid: 1, name: 'daemon' });
  expect(identity.groups).toContain(1);
});

test('a target of root is traced as nobody', () => {
  expect(chooseIdentity({ targetPid: 1 }, {}, 'attach').name).toBe('nobody');
  expect(chooseIdentity({ targetPid: 1 }, { SUDO_UID: '0' }, 'attach').name).toBe('nobody');
});

test('without sudo the target’s owner is taken', () => {
  const uid = process.getuid?.() ?? 0;
  const expected = uid === 0 ? lookUpUser('nobody', 'attach').uid : uid;
  expect(chooseIdentity({ targetPid: process.pid }, {}, 'attach').uid).toBe(expected);
});

test('an unknown user is a usage error, an unknown number is taken as it is', () => {
  expect(() => lookUpUser('no-such-user-here', 'attach')).toThrow(expect.objectContaining({ code: 'E_CLI_USAGE' }));
  expect(lookUpUser('424242', 'attach')).toEqual({ uid: 424242, gid: 424242, groups: [424242], name: '424242' });
});

test('where id(1) is missing that is said, not that the user is unknown', () => {
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  const missing = { code: 'E_PLACE_NO_TOOL', message: expect.stringContaining('program id is needed') };
  expect(() => chooseIdentity({ targetPid: 1 }, {}, 'attach')).toThrow(expect.objectContaining(missing));
});
