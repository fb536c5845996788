import { afterEach, expect, test } from 'vitest';
import { callersCache } from '../../src/app/discovery-cache.ts';

const { SUDO_UID } = process.env;
afterEach(() => {
  if (SUDO_UID === undefined) delete process.env.SUDO_UID;
  else process.env.SUDO_UID = SUDO_UID;
});

test('findings are kept in the home of whoever called sudo, and belong to them', () => {
  process.env.SUDO_UID = '1';
  const cache = callersCache();
  expect(cache.owner).toMatchObject({ uid: 1 });
  expect(cache.directory).toMatch(/\/\.cache\/ebpf-tracer\/discovery$/);
  expect(cache.directory).not.toMatch(/^\/root\//);
});
