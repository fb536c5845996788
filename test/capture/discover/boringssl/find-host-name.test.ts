import { describe, expect, it } from 'vitest';
import { findSetHostName } from '../../../../src/capture/discover/boringssl/find-host-name.ts';
import { ARG0, ARG1, callOf, sitedOf } from './traces.ts';

const access = { at: 0, base: ARG0, disp: 0x90, isAfterCopy: false };
const body = { loads: [access], stores: [access], calls: [callOf([ARG1])] };
const copy = (...sslLib: ReturnType<typeof sitedOf>[]) => ({ errorFunction: 1, sslLib, s3Pkt: [] });

describe('SSL_set_tlsext_host_name', () => {
  it('has reason 213, measures its name and stores into the object', () => {
    expect(findSetHostName(copy(sitedOf(4, [[50, 213]], body), sitedOf(5, [[60, 66]], body)))).toBe(4);
    expect(findSetHostName(copy(sitedOf(4, [[50, 213]], { ...body, stores: [] })))).toBeUndefined();
    expect(findSetHostName(copy(sitedOf(4, [[50, 213]], { ...body, calls: [] })))).toBeUndefined();
  });

  it('is the one without other sites where it is inlined too, and unknown where that does not decide', () => {
    const inlined = sitedOf(
      5,
      [
        [50, 213],
        [70, 226],
      ],
      body,
    );
    expect(findSetHostName(copy(sitedOf(4, [[50, 213]], body), inlined))).toBe(4);
    expect(findSetHostName(copy(sitedOf(4, [[50, 213]], body), sitedOf(6, [[50, 213]], body)))).toBeUndefined();
  });
});
