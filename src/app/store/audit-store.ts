// `tracer audit-store`: which secrets lie in the editor's record of chats, in which sessions, and whether a recording shows
// that they crossed the wire. Stores are read from copies in memory: never written, never locked.

import { homedir } from 'node:os';
import { EXIT, TracerError } from '../../errors.ts';
import {
  createFinder,
  createFingerprint,
  createRedactor,
  type Redactor,
  reaches,
  ruleNamed,
  type Severity,
} from '../../privacy/index.ts';
import { audit } from '../audit/index.ts';
import { callerUid, homeOf } from '../identity.ts';
import { installationKey } from '../installation-key.ts';
import { createKeptRules } from '../kept-rules.ts';
import type { Log } from '../types.ts';
import { locateStores, type StorePlace } from './locate.ts';
import { KNOWN_VERSION, openSessionStore, type SessionStore, type StoredText } from './session-store.ts';
import { snapshotOf } from './snapshot.ts';

export interface AuditStoreSettings {
  /** Empty: the places where editors keep theirs. */
  readonly paths: readonly string[];
  /** A recording of the same machine: which secrets crossed the wire in it. */
  readonly recording: string | undefined;
  readonly failOn: Severity | null;
  readonly log: Log;
  readonly stop: AbortSignal;
  readonly key?: Uint8Array;
  /** Absent: the home folder of who called. */
  readonly home?: string;
}

export interface StoreFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly fingerprint: string;
  /** Every place where this secret is kept. */
  readonly places: readonly {
    readonly session: string;
    readonly table: string;
    readonly column: string;
    readonly index: number | null;
    readonly offset: number;
    readonly length: number;
  }[];
  /** Null when no recording was given. */
  readonly crossedTheWire: boolean | null;
}

export interface StoreSession {
  readonly id: string;
  readonly repository: string | null;
  readonly cwd: string | null;
  readonly summary: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly texts: number;
  readonly characters: number;
  readonly findings: number;
}

export interface StoreReport {
  readonly owner: string;
  readonly path: string;
  readonly bytes: number;
  readonly walBytes: number;
  readonly schemaVersion: number | null;
  /** What could not be read or understood. */
  readonly problem: string | null;
  readonly sessions: readonly StoreSession[];
  readonly findings: readonly StoreFinding[];
}

export interface AuditStoreResult {
  readonly stores: readonly StoreReport[];
  readonly exitCode: number;
}

/** Places of one secret that are listed; its sessions are what counts. */
const MAX_PLACES = 1_000;

type Places = StoreFinding['places'][number][];

interface Tools {
  readonly find: ReturnType<typeof createFinder>;
  readonly fingerprint: (secret: string) => string;
  readonly redactor: Redactor;
  /** Fingerprints in the recording; null without one. */
  readonly onWire: ReadonlySet<string> | null;
}

class StoreAudit {
  readonly #tools: Tools;
  readonly #findings = new Map<
    string,
    { readonly rule: string; readonly fingerprint: string; readonly places: Places }
  >();
  readonly #sessions = new Map<string, { texts: number; characters: number; findings: number }>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  add(stored: StoredText): void {
    const { session, table, column, index, text } = stored;
    const sums = this.#sessions.get(session) ?? { texts: 0, characters: 0, findings: 0 };
    this.#sessions.set(session, sums);
    sums.texts += 1;
    sums.characters += text.length;
    for (const { kind, secret, offset, length } of this.#tools.find(text)) {
      sums.findings += 1;
      const fingerprint = this.#tools.fingerprint(secret);
      const key = `${kind} ${fingerprint}`;
      const finding = this.#findings.get(key) ?? { rule: kind, fingerprint, places: [] };
      this.#findings.set(key, finding);
      if (finding.places.length < MAX_PLACES) finding.places.push({ session, table, column, index, offset, length });
    }
  }

  findings(): StoreFinding[] {
    const { onWire } = this.#tools;
    return [...this.#findings.values()].map(({ rule, fingerprint, places }) => {
      const { severity, title } = ruleNamed(rule);
      return { rule, severity, title, fingerprint, places, crossedTheWire: onWire?.has(fingerprint) ?? null };
    });
  }

  sessions(store: SessionStore): StoreSession[] {
    const { redactor } = this.#tools;
    const safe = (text: string | null): string | null => (text === null ? null : redactor.text(text));
    return store.sessions.map(({ id, repository, cwd, summary, createdAt, updatedAt }) => ({
      id,
      repository: repository === null ? null : redactor.url(repository),
      cwd: safe(cwd),
      summary: safe(summary),
      createdAt,
      updatedAt,
      ...(this.#sessions.get(id) ?? { texts: 0, characters: 0, findings: 0 }),
    }));
  }
}

const NOTHING = { bytes: 0, walBytes: 0, schemaVersion: null, sessions: [], findings: [] };

function versionProblem({ version }: SessionStore): string | null {
  if (version === null) return 'it does not say its schema version: read as far as known';
  return version > KNOWN_VERSION
    ? `schema version ${version} is newer than ${KNOWN_VERSION}: only what is known of it was read`
    : null;
}

async function auditOne({ owner, path }: StorePlace, tools: Tools): Promise<StoreReport> {
  try {
    const { image, bytes, walBytes } = snapshotOf(path);
    const store = await openSessionStore(path, image);
    const one = new StoreAudit(tools);
    for (const text of store.texts()) one.add(text);
    const report = { sessions: one.sessions(store), findings: one.findings() };
    const { version } = store;
    const problem = versionProblem(store);
    store.close();
    return { owner, path, bytes, walBytes, schemaVersion: version, problem, ...report };
  } catch (error) {
    if (!(error instanceof TracerError)) throw error;
    return { owner, path, ...NOTHING, problem: error.message };
  }
}

async function fingerprintsIn(settings: AuditStoreSettings, key: Uint8Array): Promise<ReadonlySet<string> | null> {
  const { recording: file, log, stop } = settings;
  if (file === undefined) return null;
  const { report } = await audit({ files: [file], allowHosts: [], personal: false, failOn: null, log, stop, key });
  return new Set(report.findings.map(({ fingerprint }) => fingerprint));
}

/** Throws E_STORE_NONE when there is no store to read. */
export async function auditStore(settings: AuditStoreSettings): Promise<AuditStoreResult> {
  const home =
    settings.home ?? (process.env['SUDO_UID'] === undefined ? homedir() : homeOf(callerUid(process.env)).home);
  const given = settings.paths.map((path) => ({ owner: 'given', path }));
  const places = given.length > 0 ? given : locateStores(home);
  if (places.length === 0) throw new TracerError('E_STORE_NONE', { home });
  const key = settings.key ?? installationKey().key;
  const kept = createKeptRules();
  const tools: Tools = {
    find: createFinder(kept),
    fingerprint: createFingerprint(key),
    redactor: createRedactor({ key, reveal: false, kept }),
    onWire: await fingerprintsIn(settings, key),
  };
  const stores: StoreReport[] = [];
  for (const place of places) stores.push(await auditOne(place, tools));
  return { stores, exitCode: exitCodeOf(stores, settings) };
}

function exitCodeOf(stores: readonly StoreReport[], { failOn, paths }: AuditStoreSettings): number {
  const fails = stores.some(({ findings }) =>
    findings.some(({ severity }) => failOn !== null && reaches(severity, failOn)),
  );
  if (fails) return EXIT.findings;
  const isUnread =
    paths.length > 0 &&
    stores.some(({ schemaVersion, problem, bytes }) => problem !== null && bytes === 0 && schemaVersion === null);
  return isUnread ? EXIT.storeUnreadable : EXIT.ok;
}
