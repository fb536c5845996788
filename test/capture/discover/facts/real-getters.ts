// Machine code of the functions that tell a connection's facts, as real libraries have it: the truth that reading them is held to.

import { hexBytes } from '../tiny-elf.ts';

export interface RealGetters {
  readonly name: string;
  readonly machine: 62 | 183;
  readonly code: Readonly<Record<string, Uint8Array>>;
}

export const openssl111: RealGetters = {
  name: 'OpenSSL 1.1.1 as in Node 14.21.3, x86-64',
  machine: 62,
  code: {
    SSL_version: hexBytes(`
      8b 07 c3
    `),
    SSL_get_current_cipher: hexBytes(`
      48 8b 87 10 05 00 00 48 85 c0 74 07 48 8b 80 f0 01 00 00 c3
    `),
    SSL_get_session: hexBytes(`
      48 8b 87 10 05 00 00 c3
    `),
    SSL_CIPHER_get_id: hexBytes(`
      8b 47 18 c3
    `),
    SSL_CIPHER_get_protocol_id: hexBytes(`
      8b 47 18 c3
    `),
    SSL_get0_alpn_selected: hexBytes(`
      48 8b 87 a8 00 00 00 48 c7 06 00 00 00 00 48 85 c0 74 1d 48 8b 88 e0 03 00 00 48 89 0e 48 85 c9
      74 0e 8b 80 e8 03 00 00 89 02 c3 0f 1f 44 00 00 31 c0 89 02 c3
    `),
  },
};

export const openssl35: RealGetters = {
  name: 'OpenSSL 3.5 as in Node 26.12.1, x86-64',
  machine: 62,
  code: {
    SSL_version: hexBytes(`
      55 48 89 e5 53 50 8b 0f 85 c9 74 3f 84 c9 78 19 31 ff 83 e1 fe b8 01 00 00 00 81 f9 80 00 00 00
      75 24 48 83 c4 08 5b 5d c3 48 89 fb e8 2f 56 03 00 8b 0b 48 89 c7 83 e1 fe b8 01 00 00 00 81 f9
      80 00 00 00 74 dc 48 85 ff 74 0a 8b 47 48 48 83 c4 08 5b 5d c3 31 c0 48 83 c4 08 5b 5d c3
    `),
    SSL_get_current_cipher: hexBytes(`
      55 48 89 e5 48 85 ff 74 31 8b 07 85 c0 74 11 84 c0 79 27 e8 a8 43 03 00 48 89 c7 48 85 c0 74 1a
      48 8b 87 00 09 00 00 48 85 c0 74 0e 48 8b 80 f8 02 00 00 48 85 c0 74 02 5d c3 31 c0 5d c3
    `),
    SSL_get_session: hexBytes(`
      55 48 89 e5 48 85 ff 74 20 8b 07 85 c0 74 11 84 c0 79 16 e8 38 cd 02 00 48 89 c7 48 85 c0 74 09
      48 8b 87 00 09 00 00 5d c3 31 c0 5d c3
    `),
    SSL_CIPHER_get_id: hexBytes(`
      55 48 89 e5 8b 47 18 5d c3
    `),
    SSL_CIPHER_get_protocol_id: hexBytes(`
      55 48 89 e5 0f b7 47 18 5d c3
    `),
    SSL_get0_alpn_selected: hexBytes(`
      55 48 89 e5 41 56 53 48 85 ff 74 3a 8b 07 85 c0 74 1d 84 c0 79 30 48 89 d3 49 89 f6 e8 0f 67 03
      00 4c 89 f6 48 89 da 48 89 c7 48 85 c0 74 17 48 8b 87 b8 04 00 00 48 89 06 48 85 c0 74 0f 8b 87
      c0 04 00 00 eb 09 48 c7 06 00 00 00 00 31 c0 89 02 5b 41 5e 5d c3
    `),
  },
};

export const openssl35Arm: RealGetters = {
  name: 'OpenSSL 3.5 as in Node 26.12.1, AArch64',
  machine: 183,
  code: {
    SSL_version: hexBytes(`
      fd 7b be a9 f3 0b 00 f9 fd 03 00 91 08 00 40 b9 e8 00 00 34 48 01 38 37 e0 03 1f aa 08 79 1f 12
      1f 01 02 71 80 01 00 54 40 00 00 b4 00 48 40 b9 f3 0b 40 f9 fd 7b c2 a8 c0 03 5f d6 f3 03 00 aa
      7e d1 00 94 68 02 40 b9 08 79 1f 12 1f 01 02 71 c1 fe ff 54 20 00 80 52 f3 0b 40 f9 fd 7b c2 a8
      c0 03 5f d6
    `),
    SSL_get_current_cipher: hexBytes(`
      fd 7b bf a9 fd 03 00 91 40 01 00 b4 08 00 40 b9 88 00 00 34 28 01 38 36 78 cc 00 94 a0 00 00 b4
      08 80 44 f9 a8 00 00 b4 00 7d 41 f9 60 00 00 b4 fd 7b c1 a8 c0 03 5f d6 e0 03 1f aa fd 7b c1 a8
      c0 03 5f d6
    `),
    SSL_get_session: hexBytes(`
      fd 7b bf a9 fd 03 00 91 40 01 00 b4 08 00 40 b9 e8 00 00 34 88 00 38 37 e0 03 1f aa fd 7b c1 a8
      c0 03 5f d6 56 af 00 94 40 00 00 b4 00 80 44 f9 fd 7b c1 a8 c0 03 5f d6
    `),
    SSL_CIPHER_get_id: hexBytes(`
      00 18 40 b9 c0 03 5f d6
    `),
    SSL_CIPHER_get_protocol_id: hexBytes(`
      00 18 40 b9 c0 03 5f d6
    `),
    SSL_get0_alpn_selected: hexBytes(`
      fd 7b be a9 f4 4f 01 a9 fd 03 00 91 40 02 00 b4 08 00 40 b9 08 01 00 34 e8 01 38 36 f3 03 02 aa
      f4 03 01 aa 2d d5 00 94 e1 03 14 aa e2 03 13 aa 20 01 00 b4 08 5c 42 f9 28 00 00 f9 48 00 00 b4
      08 c0 44 b9 48 00 00 b9 f4 4f 41 a9 fd 7b c2 a8 c0 03 5f d6 3f 00 00 f9 5f 00 00 b9 f4 4f 41 a9
      fd 7b c2 a8 c0 03 5f d6
    `),
  },
};

export const openssl30Arm: RealGetters = {
  name: 'OpenSSL 3.0 as in Node 18.20.8, AArch64',
  machine: 183,
  code: {
    SSL_version: hexBytes(`
      3f 23 03 d5 00 00 40 b9 bf 23 03 d5 c0 03 5f d6
    `),
    SSL_get_current_cipher: hexBytes(`
      00 8c 44 f9 3f 23 03 d5 40 00 00 b4 00 7c 41 f9 bf 23 03 d5 c0 03 5f d6
    `),
    SSL_get_session: hexBytes(`
      3f 23 03 d5 bf 23 03 d5 00 8c 44 f9 c0 03 5f d6
    `),
    SSL_CIPHER_get_id: hexBytes(`
      3f 23 03 d5 00 18 40 b9 bf 23 03 d5 c0 03 5f d6
    `),
    SSL_CIPHER_get_protocol_id: hexBytes(`
      3f 23 03 d5 00 30 40 79 bf 23 03 d5 c0 03 5f d6
    `),
    SSL_get0_alpn_selected: hexBytes(`
      03 44 42 f9 3f 23 03 d5 23 00 00 f9 04 00 80 52 43 00 00 b4 04 90 44 b9 bf 23 03 d5 44 00 00 b9
      c0 03 5f d6
    `),
  },
};

export const boringssl: RealGetters = {
  name: 'BoringSSL of 2022 as in android-libboringssl 13.0.0, x86-64',
  machine: 62,
  code: {
    SSL_version: hexBytes(`
      53 48 89 fb e8 27 e0 00 00 85 c0 74 21 f6 83 a4 00 00 00 01 75 18 48 8b 43 30 48 8b 80 10 01 00
      00 48 8b 98 e0 05 00 00 48 83 c3 04 eb 04 48 83 c3 10 0f b7 03 5b c3
    `),
    SSL_get_current_cipher: hexBytes(`
      50 e8 0a 61 01 00 48 85 c0 74 09 48 8b 80 d0 00 00 00 59 c3 31 c0 59 c3
    `),
    SSL_get_session: hexBytes(`
      53 48 89 fb e8 77 ff 00 00 48 8b 4b 30 85 c0 74 15 48 8b 89 10 01 00 00 48 8b 81 e0 05 00 00 48
      85 c0 74 0e 5b c3 48 81 c1 c8 01 00 00 48 8b 01 5b c3 48 8b 81 d8 05 00 00 48 85 c0 75 e6 48 83
      c3 58 48 89 d9 eb e6
    `),
    SSL_CIPHER_get_id: hexBytes(`
      8b 47 10 c3
    `),
    SSL_CIPHER_get_protocol_id: hexBytes(`
      0f b7 47 10 c3
    `),
    SSL_get0_alpn_selected: hexBytes(`
      48 8b 47 30 48 8b 88 10 01 00 00 48 85 c9 74 3c f6 81 19 06 00 00 08 74 33 f6 87 a4 00 00 00 01
      75 2a 48 8b 81 e0 05 00 00 48 8b 80 80 01 00 00 48 89 06 48 8b 47 30 48 8b 88 10 01 00 00 b8 88
      01 00 00 48 03 81 e0 05 00 00 eb 13 48 8b 80 e0 01 00 00 48 89 06 b8 e8 01 00 00 48 03 47 30 8b
      00 89 02 c3
    `),
  },
};
