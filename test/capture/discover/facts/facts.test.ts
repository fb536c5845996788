import { describe, expect, it, type TestContext } from 'vitest';
import { findFacts } from '../../../../src/capture/discover/facts/facts.ts';
import { type ProgramImage, readImage } from '../../../../src/capture/discover/image.ts';
import { bytesSource, openFileSource } from '../../../../src/capture/discover/source.ts';
import type { SymbolLookup } from '../../../../src/capture/discover/symbols.ts';
import { inspectImage } from '../../../../src/capture/targets/table.ts';
import type { TlsFinding, TlsLibrary } from '../../../../src/capture/targets/target.ts';
import { debianFile } from '../../../kit/binaries/programs.ts';
import { CODE_ADDRESS, hexBytes, tinyElf } from '../tiny-elf.ts';
import * as real from './real-getters.ts';

type Codes = Readonly<Record<string, Uint8Array>>;

const SPACING = 0x100;

/** A program that is made of these functions alone, and their symbols. */
function programOf(machine: 62 | 183, codes: Codes): { image: ProgramImage; lookup: SymbolLookup } {
  const entries = Object.entries(codes);
  const code = new Uint8Array(entries.length * SPACING).fill(machine === 62 ? 0xcc : 0);
  for (const [i, [, bytes]] of entries.entries()) code.set(bytes, i * SPACING);
  const answer = readImage(bytesSource(tinyElf({ code, machine })));
  if (!answer.ok) throw new Error(answer.why);
  const symbols = entries.map(([name, bytes], i) => ({
    name,
    address: CODE_ADDRESS + i * SPACING,
    sizeBytes: bytes.length,
    table: 'symtab' as const,
  }));
  const lookup: SymbolLookup = (names) =>
    new Map(symbols.filter((symbol) => names.includes(symbol.name)).map((symbol) => [symbol.name, symbol]));
  return { image: answer.image, lookup };
}

function factsOf(machine: 62 | 183, codes: Codes, library: TlsLibrary) {
  const { image, lookup } = programOf(machine, codes);
  return findFacts(image, library, lookup);
}

function inspect(path: string): readonly TlsFinding[] {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!source.ok || !answer?.ok) throw new Error(`${path} is not readable`);
  try {
    return inspectImage(answer.image);
  } finally {
    source.value.close();
  }
}

describe('where a connection’s facts are', () => {
  it.each([
    {
      ...real.openssl111,
      facts: { version: [0], cipher: [0x510, 0x1f0, 0x18], alpn: { name: [0xa8, 0x3e0], lenBytes: [0xa8, 0x3e8] } },
    },
    {
      ...real.openssl35,
      facts: { version: [0x48], cipher: [0x900, 0x2f8, 0x18], alpn: { name: [0x4b8], lenBytes: [0x4c0] } },
    },
    {
      ...real.openssl35Arm,
      facts: { version: [0x48], cipher: [0x900, 0x2f8, 0x18], alpn: { name: [0x4b8], lenBytes: [0x4c0] } },
    },
    {
      ...real.openssl30Arm,
      facts: { version: [0], cipher: [0x918, 0x2f8, 0x18], alpn: { name: [0x488], lenBytes: [0x490] } },
    },
  ])('is read from the getters of $name', ({ machine, code, facts }) => {
    expect(factsOf(machine, code, 'openssl')).toEqual({ facts });
  });

  it('is read through SSL_get_session of BoringSSL: the established session, not the one that was offered', () => {
    expect(factsOf(real.boringssl.machine, real.boringssl.code, 'boringssl')).toEqual({
      facts: {
        version: [0x10],
        cipher: [0x30, 0x1c8, 0xd0, 0x10],
        alpn: { name: [0x30, 0x1e0], lenBytes: [0x30, 0x1e8] },
      },
    });
  });

  it('is what Debian’s libraries have', (context: TestContext) => {
    const libssl = debianFile(context, '/usr/lib/x86_64-linux-gnu/libssl.so.3', 'libssl3');
    const [openssl] = inspect(libssl);
    expect(openssl?.facts).toMatchObject({ version: [0], cipher: [0x918, 0x2f8, 0x18] });
    expect(openssl?.evidence).toContain('TLS version and cipher by the code of SSL_version, SSL_get_current_cipher');
    const android = debianFile(context, '/usr/lib/x86_64-linux-gnu/android/libssl.so.0', 'android-libboringssl');
    const [boringssl] = inspect(android);
    expect(boringssl?.facts).toMatchObject({ version: [0x10], cipher: [0x30, 0x1c8, 0xd0, 0x10] });
  });

  it('is found in the Node that runs this, whichever it is', () => {
    const [node] = inspect(process.execPath);
    expect(node?.facts?.version).toHaveLength(1);
    expect(node?.facts?.cipher).toHaveLength(3);
  });

  it('is not known without names, and that is said', () => {
    const { image } = programOf(62, real.openssl35.code);
    expect(findFacts(image, 'openssl', () => new Map())).toEqual({
      why: 'the functions that tell them have no names here',
    });
  });

  it.each([
    ['SSL_version', 'SSL_version is missing or not understood'],
    ['SSL_get_current_cipher', 'SSL_get_current_cipher is missing or not understood'],
  ])('is not told when %s is not there', (missing, why) => {
    const { [missing]: _, ...others } = real.openssl35.code;
    expect(factsOf(62, others, 'openssl')).toEqual({ why });
  });

  it('is told by the protocol’s id where the other id is not there', () => {
    const { SSL_CIPHER_get_id: _, ...others } = real.openssl35.code;
    expect(factsOf(62, others, 'openssl').facts?.cipher).toEqual([0x900, 0x2f8, 0x18]);
    const { SSL_CIPHER_get_protocol_id: __, ...neither } = others;
    expect(factsOf(62, neither, 'openssl')).toEqual({
      why: 'SSL_CIPHER_get_id and SSL_CIPHER_get_protocol_id are missing or not understood',
    });
  });

  it('is told without the application protocol where only that is not understood', () => {
    const { SSL_get0_alpn_selected: _, ...others } = real.openssl35.code;
    expect(factsOf(62, others, 'openssl').facts).toEqual({ version: [0x48], cipher: [0x900, 0x2f8, 0x18] });
  });

  it.each([
    ['computes what it returns', '8b 07 83 c8 01 c3'], // mov eax,[rdi]; or eax,1; ret
    ['returns one of two fields', '85 f6 74 03 8b 07 c3 8b 47 08 c3'], // test esi,esi; je +3; mov eax,[rdi]; ret; mov eax,[rdi+8]; ret
    ['only calls another function', 'e9 00 10 00 00'], // jmp
    ['returns a field of something else', '48 8b 07 8b 40 08 c3'], // mov rax,[rdi]; mov eax,[rax+8]; ret
    ['returns the object’s place, not a field', '48 8d 47 08 c3'], // lea rax,[rdi+8]; ret
    ['has a field that is too far away', '8b 87 00 00 01 00 c3'], // mov eax,[rdi+0x10000]; ret
    ['reads before the object', '8b 47 f8 c3'], // mov eax,[rdi-8]; ret
    ['never ends', 'eb fe'],
    ['is no code', '06 06 06'],
  ])('is not guessed from a getter that %s', (_, code) => {
    const codes = { ...real.openssl111.code, SSL_version: hexBytes(code) };
    expect(factsOf(62, codes, 'openssl')).toEqual({ why: 'SSL_version is missing or not understood' });
  });

  it('is not taken from BoringSSL’s offered session when the established one is not found', () => {
    // SSL_get_session of only: mov rax,[rdi+0x58]; ret
    const codes = { ...real.boringssl.code, SSL_get_session: hexBytes('48 8b 47 58 c3') };
    expect(factsOf(62, codes, 'boringssl')).toEqual({ why: 'SSL_get_current_cipher is missing or not understood' });
  });
});
