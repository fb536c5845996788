// On the database of test/vectors/store: made by a script with real SQLite, newer turns only in its write-ahead log.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditStoreSettings, auditStore, type StoreReport } from '../../../src/app/store/audit-store.ts';
import { storesText } from '../../../src/app/store/text.ts';
import { EXIT } from '../../../src/errors.ts';
import { GITHUB, leakySession, SLACK } from '../audit/session.ts';

const VECTORS = fileURLToPath(new URL('../../vectors/store/', import.meta.url));
const FILES = ['session-store.db', 'session-store.db-wal'];
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let dir = '';
let db = '';

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tracer-store-'));
  db = join(dir, 'session-store.db');
  for (const file of FILES) copyFileSync(join(VECTORS, file), join(dir, file));
});
afterAll(() => rmSync(dir, { recursive: true }));

const run = (more: Partial<AuditStoreSettings> = {}) =>
  auditStore({
    paths: [db],
    recording: undefined,
    failOn: null,
    log: quiet,
    stop: new AbortController().signal,
    key: new Uint8Array(32).fill(7),
    ...more,
  });

const only = async (more: Partial<AuditStoreSettings> = {}): Promise<StoreReport> => (await run(more)).stores[0]!;

describe('the audit of a store', () => {
  it('finds exactly these secrets, those in the write-ahead log included', async () => {
    const { findings, schemaVersion, problem } = await only();
    expect([schemaVersion, problem]).toEqual([3, null]);
    expect(
      findings.map(({ rule, severity, places }) => [
        severity,
        rule,
        places.map(({ session, table, column, index, offset, length }) => [
          session,
          table,
          column,
          index,
          offset,
          length,
        ]),
      ]),
    ).toEqual([
      [
        'high',
        'github-token',
        [
          ['s1', 'turns', 'user_message', 0, 15, 40],
          ['s2', 'checkpoints', 'technical_details', 1, 5, 40],
        ],
      ],
      [
        'high',
        'slack-token',
        [
          ['s2', 'turns', 'assistant_response', 0, 31, 56],
          ['s2', 'checkpoints', 'technical_details', 1, 50, 56],
        ],
      ],
    ]);
  });

  it('says which sessions there are and what is in them', async () => {
    const { sessions } = await only();
    expect(sessions.map(({ id, cwd, summary, texts, findings }) => [id, cwd, summary, texts, findings])).toEqual([
      ['s1', '/home/annlee/app', 'Fix the login', 3, 1],
      ['s2', '/srv', 'Post', 5, 3],
    ]);
    expect(sessions[0]?.repository).toMatch(/^https:\/\/<user-info #[0-9a-f]{8}>@git\.corp\.test\/app\.git$/);
  });

  it('prints no secret', async () => {
    const { stores } = await run();
    const text = `${JSON.stringify(stores)}${storesText(stores)}`;
    expect([GITHUB, SLACK, 'q8Zt3Lk0Pw7Xn2Vb'].filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain('To remove it: close the editor');
  });

  it('says which of them crossed the wire in a recording', async () => {
    const { findings } = await only({ recording: leakySession(join(dir, 'leaky.trc')) });
    expect(findings.map(({ rule, crossedTheWire }) => [rule, crossedTheWire])).toEqual([
      ['github-token', true],
      ['slack-token', true],
    ]);
    expect((await only()).findings.map(({ crossedTheWire }) => crossedTheWire)).toEqual([null, null]);
  });

  it('ends with 3 when --fail-on says so', async () => {
    expect((await run({ failOn: 'high' })).exitCode).toBe(EXIT.findings);
    expect((await run()).exitCode).toBe(EXIT.ok);
  });

  it('changes nothing: not a byte, not a time of a change, no file beside them', async () => {
    const state = () =>
      readdirSync(dir)
        .filter((name) => name.startsWith('session-store'))
        .map((name) => [name, statSync(join(dir, name)).mtimeMs, readFileSync(join(dir, name)).toString('base64')]);
    const before = state();
    await run();
    expect(state()).toEqual(before);
    expect(before.map(([name]) => name)).toEqual(FILES);
  });
});

describe('what cannot be read', () => {
  it('is said, and ends with E_STORE_UNREADABLE’s code when it was asked for', async () => {
    const bad = join(dir, 'bad.db');
    writeFileSync(bad, 'no database');
    const { stores, exitCode } = await run({ paths: [bad, join(dir, 'none.db'), db] });
    expect(stores.map(({ problem }) => problem)).toEqual([
      `cannot read ${bad}: it is no SQLite database`,
      `cannot read ${join(dir, 'none.db')}: there is no such file`,
      null,
    ]);
    expect(exitCode).toBe(EXIT.storeUnreadable);
  });

  it('is a damaged database: no crash', async () => {
    const damaged = join(dir, 'damaged.db');
    const bytes = readFileSync(db);
    bytes.fill(0xff, 100);
    writeFileSync(damaged, bytes);
    expect((await only({ paths: [damaged] })).problem).toMatch(/cannot read .*damaged\.db: /);
  });

  it('is a home folder without any: E_STORE_NONE', async () => {
    await expect(run({ paths: [], home: join(dir, 'nobody') })).rejects.toMatchObject({ code: 'E_STORE_NONE' });
  });
});

it('looks where editors keep theirs', async () => {
  const home = join(dir, 'home');
  const folder = join(home, '.vscode-server/data/User/globalStorage/github.copilot-chat');
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) copyFileSync(join(VECTORS, file), join(folder, file));
  mkdirSync(join(home, '.copilot'));
  copyFileSync(join(VECTORS, 'session-store.db'), join(home, '.copilot/session-store.db'));
  const { stores } = await run({ paths: [], home });
  expect(stores.map(({ owner, sessions }) => [owner, sessions.length])).toEqual([
    ['VS Code server', 2],
    ['Copilot CLI', 1],
  ]);
});
