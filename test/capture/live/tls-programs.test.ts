import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programsOf, TLS_PROGRAMS } from '../../../src/capture/live/tls-programs.ts';
import type { HookArgs, HookRole } from '../../../src/capture/targets/target.ts';

const source = readFileSync(new URL('../../../bpf/tls.bpf.h', import.meta.url), 'utf8');

/** Rows of the kernel side's table: name, and positions of buffer, length and count. */
const rows = [...source.matchAll(/^TLS_ROLE\((\w+),.*?(\d),\s+(\d),\s+(\d)\)/gm)].map(
  ([, name = '', buf, len, done]) => ({ name, places: [buf, len, done].map(Number) }),
);

const enter = (role: HookRole, args: HookArgs): string => programsOf({ role, args }).enter;

describe('the programs of a hook', () => {
  it('SSL_write_ex2 and the ssl_write_internal of OpenSSL 3.3 have a program that knows their flags', () => {
    expect(enter('write_ex', { buf: 1, len: 2, done: 3 })).toBe('tls_write_ex_enter');
    expect(programsOf({ role: 'write_ex', args: { buf: 1, len: 2, done: 4 } })).toEqual({
      enter: 'tls_write_ex2_enter',
      exit: 'tls_write_ex2_exit',
      fitsWithoutCookie: true,
    });
  });

  it('arguments in places that no program has need a cookie', () => {
    expect(programsOf({ role: 'write_ex', args: { buf: 1, len: 2, done: 5 } })).toEqual({
      enter: 'tls_write_ex_enter',
      exit: 'tls_write_ex_exit',
      fitsWithoutCookie: false,
    });
    expect(programsOf({ role: 'read', args: { buf: 2, len: 3 } }).fitsWithoutCookie).toBe(false);
  });

  it('roles without a result have no return probe', () => {
    expect(programsOf({ role: 'free' })).toEqual({ enter: 'tls_free_enter', fitsWithoutCookie: true });
  });

  it('every row of the kernel side is used, with its own positions', () => {
    expect(rows.length).toBeGreaterThanOrEqual(8);
    const exits = TLS_PROGRAMS.filter((name) => name.endsWith('_exit'));
    expect(exits.sort()).toEqual(rows.map(({ name }) => `${name}_exit`).sort());
    for (const { name, places } of rows) {
      const [at, len, done] = places.map((place) => (place === 0 ? undefined : place));
      const role = name.replace(/^tls_|2$/g, '') as HookRole;
      const buffer = role === 'open' ? { out: at } : { buf: at };
      const args = Object.fromEntries(Object.entries({ ...buffer, len, done }).filter(([, place]) => place));
      expect(programsOf({ role, args })).toEqual({
        enter: `${name}_enter`,
        exit: `${name}_exit`,
        fitsWithoutCookie: true,
      });
    }
  });
});
