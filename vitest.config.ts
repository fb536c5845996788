import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Real browsers, kernels and clients share a busy machine in CI, where one of some four thousand tests may meet a race of
 * its own making. It gets a second try there, and is named at the end (scripts/vitest-tally.mjs); elsewhere it just fails.
 */
const retry = process.env['CI'] === undefined ? 0 : 1;

/** What a test has, its hooks have, too: they compile, decode with tshark, start services. */
const within = (timeoutMs: number) => ({ testTimeout: timeoutMs, hookTimeout: timeoutMs });

// Three projects by what they need: `unit` runs anywhere without privilege, `native` needs the built addon and root,
// `live` needs a real kernel, root and the built tracer. `make test` runs all, `make test-unit` only the first.
const project = (name: string, include: string[], extra = {}) => ({
  test: { name, include, retry, ...extra },
  resolve: { alias: { '@ebpf-tools/node': at('./native/src/index.ts'), 'fast-check': at('./test/kit/fast-check.ts') } },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], { exclude: ['test/live/**', 'test/native/**'], ...within(60_000) }),
      project('native', ['native/test/**/*.test.ts', 'test/native/**/*.test.ts'], { fileParallelism: false, ...within(120_000) }),
      project('live', ['test/live/**/*.test.ts'], { fileParallelism: false, ...within(120_000) }),
    ],
  },
});
