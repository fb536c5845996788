// The kernels that the tracer is tried on, newest first. `suites`: where the package comes from. `pattern`: the newest package
// of that name is taken. `expect`: `works`, or the name of the check that must refuse it.

const DEBIAN = 'http://deb.debian.org/debian';
const DEBIAN_SECURITY = 'http://deb.debian.org/debian-security';
const UBUNTU = 'http://archive.ubuntu.com/ubuntu';

/**
 * @typedef {object} Suite
 * @property {string} url
 * @property {string} name
 * @property {string} keyring '' where Debian has none: what comes from there is booted in the machine below and nowhere else
 */

/**
 * @typedef {object} KernelRow
 * @property {string} name as given on the command line
 * @property {'amd64' | 'arm64'} arch
 * @property {Suite[]} suites
 * @property {RegExp} pattern
 * @property {'works' | 'too-old'} expect
 */

const KEYRINGS = '/usr/share/keyrings';
const debian = (/** @type {string} */ release, url = DEBIAN, name = release, kind = 'stable') => ({
  url,
  name,
  keyring: `${KEYRINGS}/debian-archive-${release}-${kind}.gpg`,
});
const BOOKWORM = debian('bookworm', DEBIAN, 'bookworm', 'automatic');
const ubuntu = (/** @type {string} */ name) => ({ url: UBUNTU, name, keyring: '' });

/** Where everything but the kernel comes from: one user land for all of them. @type {Suite[]} */
export const USER_LAND = [BOOKWORM];

/** @type {readonly KernelRow[]} */
export const KERNELS = [
  {
    name: 'debian-7',
    arch: 'amd64',
    suites: [debian('trixie', DEBIAN, 'forky', 'automatic')],
    pattern: /^linux-binary-7\.[\d.]+\+deb14-cloud-amd64$/,
    expect: 'works',
  },
  {
    name: 'debian-6.12',
    arch: 'amd64',
    suites: [debian('trixie', DEBIAN, 'trixie', 'automatic')],
    pattern: /^linux-image-6\.12\.[\d.]+\+deb13-cloud-amd64$/,
    expect: 'works',
  },
  {
    name: 'ubuntu-6.8',
    arch: 'amd64',
    suites: [ubuntu('noble-updates')],
    pattern: /^linux-image-unsigned-6\.8\.0-\d+-generic$/,
    expect: 'works',
  },
  {
    name: 'debian-6.1',
    arch: 'amd64',
    suites: [BOOKWORM],
    pattern: /^linux-image-6\.1\.0-\d+-cloud-amd64$/,
    expect: 'works',
  },
  {
    name: 'debian-6.1-arm64',
    arch: 'arm64',
    suites: [BOOKWORM],
    pattern: /^linux-image-6\.1\.0-\d+-cloud-arm64$/,
    expect: 'works',
  },
  {
    name: 'ubuntu-5.15',
    arch: 'amd64',
    suites: [ubuntu('jammy-updates')],
    pattern: /^linux-image-unsigned-5\.15\.0-\d+-generic$/,
    expect: 'works',
  },
  {
    name: 'debian-5.10',
    arch: 'amd64',
    suites: [debian('bullseye', DEBIAN_SECURITY, 'bullseye-security', 'security-automatic')],
    pattern: /^linux-image-5\.10\.0-\d+-cloud-amd64$/,
    expect: 'works',
  },
  {
    name: 'ubuntu-5.8',
    arch: 'amd64',
    suites: [ubuntu('focal-updates')],
    pattern: /^linux-image-unsigned-5\.8\.0-\d+-generic$/,
    expect: 'works',
  },
  {
    name: 'ubuntu-5.4',
    arch: 'amd64',
    suites: [ubuntu('focal-updates')],
    pattern: /^linux-image-unsigned-5\.4\.0-\d+-generic$/,
    expect: 'too-old',
  },
];
