import { expect, it } from 'vitest';
import { safeText } from '../../src/app/safe-text.ts';

it('takes secrets and control characters out of a message, and keeps its lines', () => {
  const token = ['ghp', 'a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi'].join('_');
  const text = safeText(`bad value "${token}"\n  at \u001b[2Jx\u0007 Bearer q8Zt3Lk0Pw7Xn2VbQ1`);
  expect(text).toMatch(/^bad value "<github-token #[0-9a-f]{8}>"\n {2}at ␛\[2Jx␇ Bearer <secret #[0-9a-f]{8}>$/);
});
