import { describe, expect, it } from 'vitest';
import { isFileFindings } from '../../../src/capture/discover/findings.ts';

const hook = {
  role: 'seal',
  symbol: 'tls_write_app_data',
  fileOffset: 1,
  attachOffset: 1,
  args: { done: 2, buf: 3, len: 4 },
  methodLow12: 9,
};
const finding = {
  library: 'boringssl',
  linkage: 'static',
  hooks: [hook],
  confidence: 'high',
  reason: 'r',
  facts: { version: [0x10], cipher: [0x30, 0x1c8, 0xd0, 0x10], alpn: { name: [0x30, 0x1e0], lenBytes: [0x30, 0x1e8] } },
  evidence: ['e'],
};
const file = { buildId: 'aa', findings: [finding] };

/** The file with one value at a path replaced. */
const but = (change: (copy: typeof file & Record<string, unknown>) => void): unknown => {
  const copy = structuredClone(file);
  change(copy);
  return copy;
};

describe('findings from outside', () => {
  it('are accepted as they are written', () => {
    expect(isFileFindings(file)).toBe(true);
    expect(isFileFindings({ findings: [] })).toBe(true);
    expect(isFileFindings(JSON.parse(JSON.stringify(file)))).toBe(true);
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['a build-id that is a number', but((f) => Object.assign(f, { buildId: 3 }))],
    ['an unknown library', but((f) => Object.assign(f.findings[0]!, { library: 'constructor' }))],
    ['an unknown role', but((f) => Object.assign(f.findings[0]!.hooks[0]!, { role: 'toString' }))],
    ['a negative offset', but((f) => Object.assign(f.findings[0]!.hooks[0]!, { fileOffset: -1 }))],
    ['a broken offset', but((f) => Object.assign(f.findings[0]!.hooks[0]!, { attachOffset: 1.5 }))],
    ['a seventh argument', but((f) => Object.assign(f.findings[0]!.hooks[0]!.args, { len: 6 }))],
    ['a method beyond its page', but((f) => Object.assign(f.findings[0]!.hooks[0]!, { methodLow12: 4096 }))],
    ['facts without a cipher', but((f) => Object.assign(f.findings[0]!, { facts: { version: [0] } }))],
    ['a way of no step', but((f) => Object.assign(f.findings[0]!.facts, { version: [] }))],
    ['a way of five steps', but((f) => Object.assign(f.findings[0]!.facts, { cipher: [1, 2, 3, 4, 5] }))],
    ['a step that is too long', but((f) => Object.assign(f.findings[0]!.facts, { version: [0x1_0000] }))],
    ['half an application protocol', but((f) => Object.assign(f.findings[0]!.facts, { alpn: { name: [1] } }))],
    ['evidence that is no text', but((f) => Object.assign(f.findings[0]!, { evidence: [1] }))],
  ])('are refused with %s', (_, value) => {
    expect(isFileFindings(value)).toBe(false);
  });
});
