// Numbers the ways to a connection's facts, for the attach cookie: the kernel side has a table of them (bpf/tables.h). Equal
// ways, as those of one library in many processes, share a number. There is room for more libraries than a machine has; past
// it, facts are not told.

import { FACTS_EVIDENCE, FACT_CHAINS_LAYOUT as FIELD, MAX_CHAIN, MAX_FACT_LAYOUTS } from '../../record/index.ts';
import type { FactChain, FactChains } from '../targets/target.ts';

/** Means that a library's facts are not known. */
const NONE = 0;

export class FactLayouts {
  readonly #write: (index: number, layout: Uint8Array) => void;
  readonly #known = new Map<string, number>();

  constructor(write: (index: number, layout: Uint8Array) => void) {
    this.#write = write;
  }

  indexOf(chains: FactChains | undefined): number {
    if (chains === undefined) return NONE;
    const layout = packLayout(chains);
    const key = layout.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.#known.size + 1;
    if (index >= MAX_FACT_LAYOUTS) return NONE;
    this.#write(index, layout);
    this.#known.set(key, index);
    return index;
  }
}

export function packLayout({ version, cipher, alpn }: FactChains): Uint8Array {
  const bytes = new Uint8Array(FIELD.sizeBytes);
  const view = new DataView(bytes.buffer);
  const put = (chain: FactChain, at: number, stepsAt: number): void => {
    chain.slice(0, MAX_CHAIN).forEach((offset, i) => {
      view.setUint16(at + 2 * i, offset, true);
    });
    view.setUint8(stepsAt, chain.length <= MAX_CHAIN ? chain.length : 0);
  };
  if (version !== undefined) put(version, FIELD.version, FIELD.versionSteps);
  put(cipher, FIELD.cipher, FIELD.cipherSteps);
  if (alpn !== undefined) {
    put(alpn.name, FIELD.alpn, FIELD.alpnSteps);
    put(alpn.lenBytes, FIELD.alpnBytes, FIELD.alpnBytesSteps);
  }
  const evidence = version === undefined ? FACTS_EVIDENCE.byCipherState : FACTS_EVIDENCE.byGetters;
  view.setUint32(FIELD.evidence, evidence, true);
  return bytes;
}
