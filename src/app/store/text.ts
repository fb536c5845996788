// An audit of stores as text for people. Everything that came from a store is made safe for a terminal.

import { visible } from '../../sinks/index.ts';
import type { StoreFinding, StoreReport, StoreSession } from './audit-store.ts';

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

const placeOf = ({ session, table, column, index }: StoreFinding['places'][number]): string =>
  `${session} ${table}${index === null ? '' : ` ${index}`} ${column}`;

/** Places shown per secret; the JSON has them all. */
const MAX_SHOWN = 5;

function findingLines({ severity, rule, title, fingerprint, places, crossedTheWire }: StoreFinding): string[] {
  const wire = crossedTheWire === null ? '' : crossedTheWire ? '  crossed the wire' : '  not seen on the wire';
  const shown = places.slice(0, MAX_SHOWN).map((place) => `          ${placeOf(place)}`);
  const left = places.length - shown.length;
  return [
    `  ${severity.toUpperCase().padEnd(6)}  ${rule}  ${title}  #${fingerprint}${wire}`,
    ...shown,
    ...(left > 0 ? [`          and in ${count(left, 'more place')}`] : []),
  ];
}

const sessionLine = ({ id, repository, updatedAt, texts, characters, findings }: StoreSession): string =>
  [
    `  ${id}`,
    repository ?? '-',
    updatedAt ?? '-',
    count(texts, 'text'),
    `${characters} characters`,
    count(findings, 'secret'),
  ].join('  ');

function storeLines({
  owner,
  path,
  bytes,
  walBytes,
  schemaVersion,
  problem,
  sessions,
  findings,
}: StoreReport): string[] {
  const sizes = `${bytes} bytes${walBytes > 0 ? ` and ${walBytes} in its log` : ''}`;
  const version = schemaVersion === null ? '' : `, schema ${schemaVersion}`;
  return [
    `${path} (${owner}): ${sizes}${version}, ${count(sessions.length, 'session')}, ${count(findings.length, 'secret')}`,
    ...(problem === null ? [] : [`  ! ${problem}`]),
    ...findings.flatMap(findingLines),
    ...sessions.map(sessionLine),
  ];
}

/** How to get rid of what was found; the stores are the editor's, so this tool changes none. */
const REMOVAL = [
  '',
  'To remove it: close the editor, delete the file with its -wal and -shm beside it; the editor makes an empty one.',
  'To keep no such record: "github.copilot.chat.localIndex.enabled": false. A secret that was found must be revoked as well.',
];

export function storesText(stores: readonly StoreReport[]): string {
  const hasFindings = stores.some(({ findings }) => findings.length > 0);
  const lines = [
    ...stores.flatMap((store, i) => [...(i > 0 ? [''] : []), ...storeLines(store)]),
    ...(hasFindings ? REMOVAL : []),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}
