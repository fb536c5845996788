// Writes src/record/layout.gen.ts from the kernel side's shared headers: struct offsets, constants, counters.
// The headers are plain C in a narrow style (fixed-width scalars, one field per declarator, decimal macros), and this
// reader refuses what it does not know, so a layout is never guessed. test/bpf compares the result with offsetof.
// `--check` writes nothing and exits 1 when the file is stale.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const OUTPUT = 'src/record/layout.gen.ts';
const HEADERS = ['bpf/event.h', 'bpf/tables.h'];
const WIDTHS = { __u8: 1, __u16: 2, __u32: 4, __u64: 8 };
/** Structs and enums to publish, and the names they get. A struct that is not listed here is an error. */
const NAMES = {
  tr_record: 'RECORD_LAYOUT',
  tr_process: 'PROCESS_LAYOUT',
  tr_conn_key: 'CONNECTION_KEY_LAYOUT',
  tr_conn: 'CONNECTION_LAYOUT',
  tr_skip: 'SKIP_LAYOUT',
  record_kind: 'RECORD_KIND',
  tr_facts: 'FACTS_LAYOUT',
  tr_fact_layout: 'FACT_CHAINS_LAYOUT',
  facts_evidence: 'FACTS_EVIDENCE',
  tr_peer: 'PEER_LAYOUT',
  peer_evidence: 'PEER_EVIDENCE',
  peer_family: 'PEER_FAMILY',
  record_dir: 'RECORD_DIR',
  record_flags: 'RECORD_FLAG',
  process_flags: 'PROCESS_FLAG',
  conn_flags: 'CONNECTION_FLAG',
};
const COUNTER_KINDS = ['sum', 'max', 'loss_bytes', 'loss_events', 'late', 'odd'];

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');

/** @param {string} name */
const camel = (name) => name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** @param {string} cName @returns {string} */
function published(cName) {
  const name = NAMES[/** @type {keyof typeof NAMES} */ (cName)];
  if (!name) throw new Error(`${cName}: not in NAMES of scripts/gen-layout.mjs`);
  return name;
}

/** @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '');

/** @param {string} body @param {string} cName */
function structLayout(body, cName) {
  const offsets = [];
  let at = 0;
  for (const line of body.split(';').map((part) => part.trim())) {
    if (line === '') continue;
    const field = /^(__u8|__u16|__u32|__u64) (\w+)$/.exec(line);
    if (!field) throw new Error(`struct ${cName}: cannot read "${line}"`);
    const width = WIDTHS[/** @type {keyof typeof WIDTHS} */ (field[1])];
    if (at % width !== 0) throw new Error(`struct ${cName}: a hole before ${field[2]}`);
    offsets.push(`  ${camel(/** @type {string} */ (field[2]))}: ${at},`);
    at += width;
  }
  return `/** Byte offsets of \`struct ${cName}\`, and its size. */\nexport const ${published(cName)} = {\n  sizeBytes: ${at},\n${offsets.join('\n')}\n} as const;`;
}

/** @param {string} body @param {string} cName */
function enumValues(body, cName) {
  const entries = [];
  for (const entry of body.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const value = /^[A-Z]+_(\w+) = (\d+)$/.exec(entry);
    if (!value) throw new Error(`enum ${cName}: cannot read "${entry}"`);
    entries.push(`  ${camel(/** @type {string} */ (value[1]))}: ${value[2]},`);
  }
  return `/** \`enum ${cName}\` */\nexport const ${published(cName)} = {\n${entries.join('\n')}\n} as const;`;
}

/** @param {string} path */
function headerParts(path) {
  const text = withoutComments(read(path));
  const parts = [];
  for (const [, name, value] of text.matchAll(/^#define (\w+) +(\d+)\s*$/gm))
    parts.push(`export const ${name} = ${value};`);
  for (const [, name, body] of text.matchAll(/^enum (\w+) \{([^}]*)\};/gm))
    parts.push(enumValues(/** @type {string} */ (body), /** @type {string} */ (name)));
  for (const [, name, body] of text.matchAll(/^struct (\w+) \{([^}]*)\};/gm))
    parts.push(structLayout(/** @type {string} */ (body), /** @type {string} */ (name)));
  return `// ---- ${path} ----\n\n${parts.join('\n\n')}`;
}

function counterTable() {
  const rows = [];
  const seen = new Set();
  for (const [, id, name, kind, meaning] of read('bpf/counters.def').matchAll(
    /^X\((\d+), (\w+), (\w+), "([^"]*)"\)$/gm,
  )) {
    if (seen.has(id) || Number(id) > 63) throw new Error(`counter ${name}: id ${id} is taken or above 63`);
    if (!COUNTER_KINDS.includes(/** @type {string} */ (kind))) throw new Error(`counter ${name}: unknown kind ${kind}`);
    seen.add(id);
    rows.push(
      `  { id: ${id}, name: '${name}', kind: '${kind}', meaning: ${JSON.stringify(meaning).replaceAll("'", "\\'").replace(/^"|"$/g, "'")} },`,
    );
  }
  return `// ---- bpf/counters.def ----\n
/** Slots of the per-CPU value of map \`counters\` (key 0), u64 each. */
export const COUNTER_SLOTS = 64;

/** How to read a counter: see the head of bpf/counters.def. */
export type CounterKind = ${COUNTER_KINDS.map((kind) => `'${kind}'`).join(' | ')};

export const COUNTERS = [
${rows.join('\n')}
] as const satisfies readonly { id: number; name: string; kind: CounterKind; meaning: string }[];

export type CounterName = (typeof COUNTERS)[number]['name'];`;
}

const head = `// Generated by scripts/gen-layout.mjs from ${[...HEADERS, 'bpf/counters.def'].join(', ')}. Do not edit: \`make gen\`.
// Layouts shared with the kernel side: little-endian, offsets and sizes in bytes. The headers explain every field.`;
const text = `${[head, ...HEADERS.map(headerParts), counterTable()].join('\n\n')}\n`;

if (process.argv.includes('--check')) {
  let present = '';
  try {
    present = read(OUTPUT);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  if (present !== text) {
    process.stderr.write(`${OUTPUT} is stale: run node scripts/gen-layout.mjs\n`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(fileURLToPath(new URL(OUTPUT, ROOT)), text);
}
