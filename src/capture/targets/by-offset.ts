// Functions that a person names with their offsets: which of them there are, with what calling shape, and the check that they
// make sense together.

import { attachOffset } from '../discover/attach-point.ts';
import type { ProgramImage } from '../discover/image.ts';
import { opensslVersion } from '../discover/strings.ts';
import { whyNoFunction } from '../discover/supplied/offsets.ts';
import { BUFFER, BUFFER_DONE, BUFFER_FLAGS_DONE, type HookSpec } from './hooks.ts';
import { hasWriteFlags } from './openssl.ts';
import { OPEN, SEAL } from './record-level.ts';
import type { Hook, TlsFinding } from './target.ts';

export interface SuppliedOffset {
  readonly symbol: string;
  readonly fileOffset: number;
}

const SHAPES: readonly HookSpec[] = [
  { symbol: 'SSL_read', role: 'read', args: BUFFER },
  { symbol: 'SSL_write', role: 'write', args: BUFFER },
  { symbol: 'SSL_read_ex', role: 'read_ex', args: BUFFER_DONE },
  { symbol: 'SSL_write_ex', role: 'write_ex', args: BUFFER_DONE },
  { symbol: 'SSL_write_ex2', role: 'write_ex', args: BUFFER_FLAGS_DONE },
  { symbol: 'ssl_read_internal', role: 'read_ex', args: BUFFER_DONE },
  // Its arguments depend on the version: see shapeOf.
  { symbol: 'ssl_write_internal', role: 'write_ex' },
  OPEN,
  SEAL,
  { symbol: 'SSL_free', role: 'free' },
  { symbol: 'tls_free', role: 'free' },
  { symbol: 'SSL_ctrl', role: 'ctrl' },
  { symbol: 'SSL_set_tlsext_host_name', role: 'sni' },
];

/** Names that can be given an offset. */
export const SUPPLIED_FUNCTIONS: readonly string[] = SHAPES.map((spec) => spec.symbol);

export type OffsetsAnswer =
  | { readonly ok: true; readonly finding: TlsFinding }
  | { readonly ok: false; readonly why: string };

export function inspectOffsets(image: ProgramImage, offsets: readonly SuppliedOffset[]): OffsetsAnswer {
  for (const { symbol, fileOffset } of offsets) {
    const why = whyNoFunction(image.elf, fileOffset);
    if (why !== undefined) return { ok: false, why: `${symbol}=0x${fileOffset.toString(16)}: ${why}` };
  }
  const hooks: Hook[] = [];
  for (const { symbol, fileOffset } of offsets) {
    const spec = shapeOf(image, symbol);
    if (spec === undefined)
      return { ok: false, why: `${symbol}: its parameters depend on OpenSSL’s version, which is not known` };
    hooks.push({ ...spec, fileOffset, attachOffset: attachOffset(image.elf, fileOffset) });
  }
  const missing = missingDirection(hooks);
  if (missing !== undefined) return { ok: false, why: `no function that ${missing} data is given` };
  return { ok: true, finding: findingOf(image, hooks) };
}

function shapeOf(image: ProgramImage, symbol: string): HookSpec | undefined {
  const spec = SHAPES.find((one) => one.symbol === symbol);
  if (symbol !== 'ssl_write_internal' || spec === undefined) return spec;
  const version = opensslVersion(image.elf, image.anchors());
  if (version === undefined) return undefined;
  return { ...spec, args: hasWriteFlags(version) ? BUFFER_FLAGS_DONE : BUFFER_DONE };
}

/** Half a conversation would be misread as a whole one. */
function missingDirection(hooks: readonly Hook[]): string | undefined {
  const has = (roles: readonly string[]): boolean => hooks.some((hook) => roles.includes(hook.role));
  if (!has(['read', 'read_ex', 'open'])) return 'reads';
  return has(['write', 'write_ex', 'seal']) ? undefined : 'writes';
}

const findingOf = (image: ProgramImage, hooks: readonly Hook[]): TlsFinding => ({
  library: image.anchors().has('boringSslLib') ? 'boringssl' : 'openssl',
  linkage: image.dynamic.soname === undefined ? 'static' : 'shared',
  hooks,
  confidence: 'high',
  reason: `${hooks.map((hook) => hook.symbol).join(', ')} by given offset`,
  evidence: ['offsets given by --offset: function entries as far as the code tells'],
});
