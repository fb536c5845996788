import { execFileSync } from 'node:child_process';
import { getCiphers } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { CIPHER_SUITES } from '../../src/model/cipher-suites.ts';

/** What OpenSSL's own list says of each suite: number, standard name, first version. */
function opensslSuites(): { id: number; name: string; since: string }[] {
  const text = execFileSync('openssl', ['ciphers', '-V', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
    encoding: 'utf8',
  });
  return [...text.matchAll(/0x(..),0x(..) - (\S+)\s+- \S+\s+(\S+)/g)].map(([, high, low, name = '', since = '']) => ({
    id: Number.parseInt(`${high}${low}`, 16),
    name,
    since,
  }));
}

describe('the cipher suites', () => {
  it('agree with OpenSSL’s list in number, name and version', () => {
    const suites = opensslSuites();
    expect(suites.length).toBeGreaterThan(100);
    const versions = { 'TLSv1.3': 'only 1.3', 'TLSv1.2': 'only 1.2' } as Readonly<Record<string, string>>;
    for (const { id, name, since } of suites)
      expect(CIPHER_SUITES.get(id), name).toEqual({ name, versions: versions[since] ?? 'up to 1.2' });
  });

  it('are each there once, named as in the registry', () => {
    const names = [...CIPHER_SUITES.values()].map((suite) => suite.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^TLS_[A-Za-z0-9_]+$/.test(name))).toEqual([]);
  });

  it('include all TLS 1.3 suites that Node offers', () => {
    const known = new Set([...CIPHER_SUITES.values()].map((suite) => suite.name.toLowerCase()));
    const offered = getCiphers().filter((name) => name.startsWith('tls_'));
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter((name) => !known.has(name))).toEqual([]);
  });
});
