import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  HpackDecoder,
  isPlausibleBlock,
  MAX_LIST_BYTES,
  UnknownRef,
} from '../../../../src/protocols/http2/hpack/decoder.ts';
import { concat, hex, indexed, inserted, insertedAt, literal } from '../kit.ts';

const fieldsOf = (decoder: HpackDecoder, wire: string) => {
  const block = decoder.decode(hex(wire));
  expect([block.fault, block.complaint]).toEqual([undefined, undefined]);
  return block.fields;
};

const GET_EXAMPLE = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'www.example.com'],
];
const SECOND = [...GET_EXAMPLE, ['cache-control', 'no-cache']];
const THIRD = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/index.html'],
  [':authority', 'www.example.com'],
  ['custom-key', 'custom-value'],
];
const responses = (status: string, date: string) => [
  [':status', status],
  ['cache-control', 'private'],
  ['date', date],
  ['location', 'https://www.example.com'],
];
const DATE_21 = 'Mon, 21 Oct 2013 20:13:21 GMT';
const LAST = [
  [':status', '200'],
  ['cache-control', 'private'],
  ['date', 'Mon, 21 Oct 2013 20:13:22 GMT'],
  ['location', 'https://www.example.com'],
  ['content-encoding', 'gzip'],
  ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'],
];

describe('RFC 7541 appendix C', () => {
  test.each([
    ['C.2.1', '400a637573746f6d2d6b65790d637573746f6d2d686561646572', [['custom-key', 'custom-header']]],
    ['C.2.2', '040c2f73616d706c652f70617468', [[':path', '/sample/path']]],
    ['C.2.3', '100870617373776f726406736563726574', [['password', 'secret']]],
    ['C.2.4', '82', [[':method', 'GET']]],
  ])('%s decodes one field', (_, wire, fields) => {
    expect(fieldsOf(new HpackDecoder(), wire)).toEqual(fields);
  });

  test.each([
    [
      'C.3, plain',
      [
        '828684410f7777772e6578616d706c652e636f6d',
        '828684be58086e6f2d6361636865',
        '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
      ],
    ],
    [
      'C.4, Huffman',
      [
        '828684418cf1e3c2e5f23a6ba0ab90f4ff',
        '828684be5886a8eb10649cbf',
        '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
      ],
    ],
  ])('%s: three requests on one connection', (_, wires) => {
    const decoder = new HpackDecoder();
    expect(wires.map((wire) => fieldsOf(decoder, wire))).toEqual([GET_EXAMPLE, SECOND, THIRD]);
  });

  test.each([
    [
      'C.5, plain',
      [
        '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
        '4803333037c1c0bf',
        '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
      ],
    ],
    [
      'C.6, Huffman',
      [
        '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
        '4883640effc1c0bf',
        '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
      ],
    ],
  ])('%s: three responses with a table of 256 octets that evicts', (_, wires) => {
    const decoder = new HpackDecoder();
    decoder.decode(hex('3fe101'));
    expect(wires.map((wire) => fieldsOf(decoder, wire))).toEqual([
      responses('302', DATE_21),
      responses('307', DATE_21),
      LAST,
    ]);
  });
});

const STORIES = fileURLToPath(new URL('../../../../../shared/hpack-test-case', import.meta.url));
interface Story {
  cases: { wire: string; header_table_size?: number; headers: Record<string, string>[] }[];
}

describe.skipIf(!existsSync(STORIES))(
  'the stories of http2jp/hpack-test-case (skipped where ../shared is absent)',
  () => {
    const sets = existsSync(STORIES)
      ? readdirSync(STORIES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      : [];
    test.each(sets.map(({ name }) => name))('%s: every block of every story gives the stated fields', (name) => {
      let blocks = 0;
      for (const file of readdirSync(`${STORIES}/${name}`)) {
        const story = JSON.parse(readFileSync(`${STORIES}/${name}/${file}`, 'utf8')) as Story;
        const decoder = new HpackDecoder();
        for (const { wire, headers, header_table_size: size } of story.cases) {
          if (size !== undefined) decoder.allow(size);
          expect(fieldsOf(decoder, wire)).toEqual(headers.flatMap((pair) => Object.entries(pair)));
          blocks++;
        }
      }
      expect(blocks).toBeGreaterThan(1000);
    });
  },
);

const late = (): HpackDecoder => {
  const decoder = new HpackDecoder();
  decoder.forget();
  return decoder;
};

describe('joined late', () => {
  test('static entries, literals and later insertions are exact; older entries are unknown, with index and value', () => {
    const decoder = late();
    const { fields, hasUnknown, fault } = decoder.decode(
      concat(indexed(2, 62, 65), inserted('new', 'one'), indexed(62, 63), insertedAt(64, 'v')),
    );
    expect([hasUnknown, fault]).toEqual([true, undefined]);
    expect(fields.map((f) => (f instanceof UnknownRef ? [f.index, f.name, f.value] : f))).toEqual([
      [':method', 'GET'],
      [62, null, null],
      [65, null, null],
      ['new', 'one'],
      ['new', 'one'],
      [63, null, null],
      [64, null, 'v'],
    ]);
  });

  test('a name that is learned reaches every use of the same older entry, and what borrowed it', () => {
    const decoder = late();
    const first = decoder.decode(concat(indexed(62), insertedAt(62, 'borrowed'))).fields as UnknownRef[];
    const second = decoder.decode(indexed(62, 63)).fields as UnknownRef[];
    first[0]?.learnName('x-learned');
    expect([...first, ...second].map((f) => [f.name, f.value])).toEqual([
      ['x-learned', null],
      ['x-learned', 'borrowed'],
      ['x-learned', 'borrowed'],
      ['x-learned', null],
    ]);
    expect(decoder.decode(indexed(62)).fields).toEqual([['x-learned', 'borrowed']]);
  });

  test('a table that is set to zero is known again', () => {
    const decoder = late();
    decoder.decode(hex('20'));
    expect(decoder.isWhole).toBe(true);
    expect(decoder.decode(hex('be')).fault).toBe('index 62 is outside the table');
  });

  test('entries that were certainly evicted are not resolved', () => {
    const decoder = late();
    decoder.decode(concat(hex('3f05'), inserted('a', 'b')));
    expect(decoder.decode(hex('be')).fields).toEqual([['a', 'b']]);
    decoder.decode(inserted('c', 'd'));
    const [newest, older] = decoder.decode(indexed(62, 63)).fields;
    expect(newest).toEqual(['c', 'd']);
    expect(older).toBeInstanceOf(UnknownRef);
  });
});

describe('damage and limits', () => {
  test.each([
    ['index 0', '80', 'index 0 is outside the table'],
    ['an index beyond the table', 'be', 'index 62 is outside the table'],
    ['a string longer than the block', '0005616263', 'block ends in a string'],
    ['an integer without an end', 'ffffffffffffffffff', 'integer too large'],
    ['padding of a Huffman string longer than seven bits', '00821fff0161', 'invalid Huffman code'],
    ['the EOS symbol in a Huffman string', '0084ffffffff0161', 'invalid Huffman code'],
    ['a size update after a field', '8220', 'table size update after a field'],
  ])('%s is a fault, and the table is forgotten', (_, wire, fault) => {
    const decoder = new HpackDecoder();
    expect(decoder.decode(hex(wire)).fault).toBe(fault);
    expect(decoder.isWhole).toBe(false);
  });

  test('a smaller acknowledged table without the due size update is a complaint, once', () => {
    const decoder = new HpackDecoder();
    decoder.allow(100);
    expect(decoder.decode(hex('82')).complaint).toMatch(/no table size update/);
    expect(decoder.decode(hex('82')).complaint).toBeUndefined();
  });

  test('a table size over the allowed one is a complaint and is followed', () => {
    expect(new HpackDecoder().decode(hex('3fe13f82')).complaint).toBe('table size 8192 exceeds the allowed 4096');
    const decoder = new HpackDecoder();
    decoder.allow(8192);
    expect(decoder.decode(hex('3fe13f82')).complaint).toBeUndefined();
  });

  test('a block that multiplies one large entry keeps a bounded list and goes on', () => {
    const decoder = new HpackDecoder();
    const name = 'n'.repeat(100);
    const value = 'v'.repeat(120);
    const times = 20_000;
    const bomb = concat(inserted(name, value), new Uint8Array(times).fill(0xbe), literal('after', 'x'));
    const block = decoder.decode(bomb);
    expect(block.fault).toBeUndefined();
    expect(block.fields.length).toBe(Math.floor(MAX_LIST_BYTES / 252));
    expect(block.fields.length + block.droppedFields).toBe(times + 2);
  });

  test('octets above 127 stay one character each, names are lower-cased', () => {
    expect(new HpackDecoder().decode(literal('X-Name', 'caf\xe9')).fields).toEqual([['x-name', 'caf\xe9']]);
  });
});

test('the structure of a block can be checked without the table', () => {
  expect(isPlausibleBlock(hex('828684be58086e6f2d6361636865'), false)).toBe(true);
  expect(isPlausibleBlock(hex('828684be58086e6f2d63616368'), false)).toBe(false);
  expect(isPlausibleBlock(hex('828684be58086e6f2d63616368'), true)).toBe(true);
  expect(isPlausibleBlock(hex('80'), false)).toBe(false);
  expect(isPlausibleBlock(new Uint8Array(0), false)).toBe(false);
});
