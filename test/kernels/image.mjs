// The initial file system of a machine: everything is in memory, so no driver has to be loaded and any kernel will do. Two
// archives one behind the other: the user land, kept in the cache, and the program with its tests, packed anew each time.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { USER_LAND } from './kernels.mjs';
import { Packages, unpack } from './packages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Its TLS functions need an argument position of their own, so that it is the hardest client for kernels without cookies. */
const NODE_VERSION = '26.12.1';
const USER_PACKAGES = [
  'busybox-static',
  'coreutils', // id
  'curl',
  'libatomic1',
  'libbpf1',
  'libc-bin', // getent
  'libstdc++6',
  'util-linux', // setpriv, for `tracer run`
];

/** Another list of packages is another user land. */
const USER_LAND_KEY = createHash('sha256')
  .update([NODE_VERSION, ...USER_PACKAGES].join())
  .digest('hex')
  .slice(0, 8);

/** @typedef {'amd64' | 'arm64'} Arch */
const NAMES = {
  amd64: { npm: 'x64', bpf: 'x86', triplet: 'x86_64-linux-gnu' },
  arm64: { npm: 'arm64', bpf: 'arm64', triplet: 'aarch64-linux-gnu' },
};

const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args.flat(), { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 });

/** @param {string} folder @param {string} file */
const pack = (folder, file) => {
  execFileSync('sh', ['-c', 'cd "$1" && find . | cpio -o -H newc -R 0:0 --quiet > "$2.part"', 'sh', folder, file]);
  renameSync(`${file}.part`, file);
};

/** The official build of Node.js. @param {Arch} arch @param {string} cache */
const nodeBinary = (arch, cache) => {
  const name = `node-linux-${NAMES[arch].npm}`;
  const binary = join(cache, `${name}-${NODE_VERSION}`);
  if (!existsSync(binary)) {
    run('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${NODE_VERSION}`]);
    const archive = join(cache, `${name}-${NODE_VERSION}.tgz`);
    run('tar', ['xzf', archive, '-C', cache, 'package/bin/node']);
    renameSync(join(cache, 'package/bin/node'), binary);
    rmSync(archive);
  }
  return binary;
};

/** What packages would set up when they are installed. @param {string} root */
const addBasics = (root) => {
  const text = (/** @type {string} */ path, /** @type {string} */ content) => writeFileSync(join(root, path), content);
  for (const name of ['proc', 'sys', 'dev', 'tmp', 'root', 'run', 'etc'])
    mkdirSync(join(root, name), { recursive: true });
  text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n');
  text('etc/group', 'root:x:0:\nnogroup:x:65534:\n');
  text('etc/hosts', '127.0.0.1 localhost\n');
  symlinkSync('busybox', join(root, 'usr/bin/sh'));
};

/** Folder with the user land of an architecture. @param {Arch} arch @param {string} cache */
const userLand = (arch, cache) => {
  const root = join(cache, `root-${arch}-${USER_LAND_KEY}`);
  if (existsSync(root)) return root;
  const fresh = `${root}.part`;
  rmSync(fresh, { recursive: true, force: true });
  // Debian's merged /usr: packages still ship files in both places.
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(fresh, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(fresh, name));
  }
  for (const deb of new Packages(cache, arch, USER_LAND).fetchAll(USER_PACKAGES)) unpack(deb, fresh);
  for (const name of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/lib/ssl'])
    rmSync(join(fresh, name), { recursive: true, force: true });
  cpSync(nodeBinary(arch, cache), join(fresh, 'usr/bin/node'));
  addBasics(fresh);
  renameSync(fresh, root);
  return root;
};

/** The kernel side and the addon for the architecture. @param {Arch} arch @param {string} folder @param {string} root */
const buildNative = (arch, folder, root) => {
  const { bpf, triplet } = NAMES[arch];
  run('make', ['--no-print-directory', '-C', 'bpf', `OUT=${join(folder, 'build/bpf')}`, `ARCH=${bpf}`]);
  const out = join(folder, 'native/build');
  if (arch === 'amd64') {
    cpSync(join(ROOT, 'native/build/ebpf.node'), join(out, 'ebpf.node'));
    return;
  }
  // The link names of development packages, for libraries that are there under their versions.
  const links = join(folder, '..', `links-${arch}`);
  mkdirSync(links, { recursive: true });
  const lib = join(root, 'usr/lib', triplet);
  if (!existsSync(join(links, 'libbpf.so'))) symlinkSync(join(lib, 'libbpf.so.1'), join(links, 'libbpf.so'));
  const compiler = `${triplet}-g++ -L${links} -Wl,-rpath-link,${lib}`;
  run('make', ['--no-print-directory', '-C', 'native', 'addon', `out=${out}`, `CXX=${compiler}`]);
  rmSync(join(out, 'obj'), { recursive: true, force: true });
};

/** Packages that the program needs when it runs. */
const runtimePackages = () =>
  execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.includes('/node_modules/') && !path.endsWith('/@ebpf-tools/node'));

/** What the compiler does not write anew. */
const generated = () =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.gen.js'))
    .map((name) => join('src', name));

/** The program and its tests, as they lie in the machine below /tracer. @param {Arch} arch @param {string} cache @param {string} root */
const program = (arch, cache, root) => {
  const folder = join(cache, `program-${arch}`);
  rmSync(folder, { recursive: true, force: true });
  const place = join(folder, 'tracer');
  mkdirSync(join(place, 'native/build'), { recursive: true });
  const copy = (/** @type {string} */ from, to = from) =>
    cpSync(join(ROOT, from), join(place, to), { recursive: true });
  for (const name of ['package.json', 'build/js', 'native/package.json', 'native/build/js', 'test/kit', ...generated()])
    copy(name);
  for (const path of runtimePackages())
    cpSync(path, join(place, path.slice(path.indexOf('node_modules/'))), { recursive: true });
  mkdirSync(join(place, 'node_modules/@ebpf-tools'), { recursive: true });
  symlinkSync('../../native', join(place, 'node_modules/@ebpf-tools/node'));
  run('node_modules/.bin/tsc', ['-p', 'test/kernels/tsconfig.json', '--outDir', place]);
  const wrapper = readFileSync(join(ROOT, 'scripts/wrapper.sh'), 'utf8');
  writeFileSync(join(place, 'build/tracer'), wrapper.replace('@NODE@', '/usr/bin/node').replace('@ROOT@', '/tracer'), {
    mode: 0o755,
  });
  cpSync(fileURLToPath(new URL('init.sh', import.meta.url)), join(folder, 'init'));
  chmodSync(join(folder, 'init'), 0o755);
  buildNative(arch, place, root);
  return folder;
};

/** Makes the file for `-initrd`. @param {Arch} arch @param {string} cache @returns {string} */
export const makeImage = (arch, cache) => {
  const root = userLand(arch, cache);
  const base = join(cache, `user-land-${arch}-${USER_LAND_KEY}.cpio`);
  if (!existsSync(base)) pack(root, base);
  const own = join(cache, `program-${arch}.cpio`);
  pack(program(arch, cache, root), own);
  const image = join(cache, `image-${arch}.cpio`);
  cpSync(base, `${image}.part`);
  appendFileSync(`${image}.part`, readFileSync(own));
  renameSync(`${image}.part`, image);
  return image;
};
