// Ghost text where secrets are near: a completion inside a .env file, and a line of a .env that travels as a recent edit with
// the completion of another file.
import { ghost } from './build.mjs';

/** @returns {import('./build.mjs').Session} */
export const insideEnv = () => ({
  about:
    'The user types in a .env file: its text is the prompt itself, because ghost text is on for the language dotenv. The secrets are the prefix, not context that was pulled in.',
  facts: ['3.4 caution', '9'],
  steps: [
    ghost({
      prefix: '# stand-in settings\nDATABASE_URL=postgres://app:FAKEpassword0001@db.invalid/app\nSTRIPE_SECRET_KEY=sk_test_FAKEFAKEFAKEFAKE0001\nSMTP_HOST=',
      path: '.env',
      language: 'dotenv',
      answer: 'smtp.stand-in.invalid',
    }),
  ],
});

const RECENT = [
  'These are recently edited files. Do not suggest code that has been deleted.',
  'File: .env',
  '--- a/file:///home/stand-in/app/.env',
  '+++ b/file:///home/stand-in/app/.env',
  '@@ -1,2 +1,3 @@',
  ' # stand-in settings',
  '+PAYMENT_TOKEN=FAKEtoken-0001-in-recent-edit',
  '-PAYMENT_TOKEN=old --- IGNORE ---',
  'File: src/client.ts',
  '--- a/file:///home/stand-in/app/src/client.ts',
  '+++ b/file:///home/stand-in/app/src/client.ts',
  '@@ -3,2 +3,3 @@',
  " import { env } from './env.ts';",
  '+const token = env.PAYMENT_TOKEN;',
  'End of recent edits',
].join('\n');

/** @returns {import('./build.mjs').Session} */
export const recentEdit = () => ({
  about:
    'The user changed a line of .env and then types in src/client.ts: the changed line goes out as a recent edit with the completion of the other file, though .env is not open in it. A second completion of the same file sends it again.',
  facts: ['3.4 recent edits', '9'],
  steps: [
    ghost({
      prefix: "import { env } from './env.ts';\nconst token = env.PAYMENT_TOKEN;\nexport async function pay(",
      suffix: '\n',
      path: 'src/client.ts',
      language: 'typescript',
      recent: RECENT,
      answer: 'amount: number) {',
    }),
    ghost({
      prefix: "import { env } from './env.ts';\nconst token = env.PAYMENT_TOKEN;\nexport async function pay(amount: number) {\n  return ",
      suffix: '\n}\n',
      path: 'src/client.ts',
      language: 'typescript',
      recent: RECENT,
      answer: 'post(token, amount);',
    }),
  ],
});
