// An audit of stores as text for people. Everything that came from a store is made safe for a terminal.

import { bytes, counted, visible } from '../../sinks/index.ts';
import type { StoreFinding, StoreReport, StoreSession } from './audit-store.ts';

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
    ...(left > 0 ? [`          and in ${counted(left, 'more place')}`] : []),
  ];
}

const sessionLine = ({ id, repository, updatedAt, texts, characters, findings }: StoreSession): string =>
  [
    `  ${id}`,
    repository ?? '-',
    updatedAt ?? '-',
    counted(texts, 'text'),
    counted(characters, 'character'),
    counted(findings, 'secret'),
  ].join('  ');

function storeLines({
  owner,
  path,
  bytes: size,
  walBytes,
  schemaVersion,
  problem,
  sessions,
  findings,
}: StoreReport): string[] {
  const sizes = `${bytes(size)}${walBytes > 0 ? ` and ${bytes(walBytes)} in its log` : ''}`;
  const version = schemaVersion === null ? '' : `, schema ${schemaVersion}`;
  return [
    `${path} (${owner}): ${sizes}${version}, ${counted(sessions.length, 'session')}, ${counted(findings.length, 'secret')}`,
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
