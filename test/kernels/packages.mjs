// Debian packages of any suite and architecture, through apt-get with folders of its own: nothing is installed on this machine,
// and its own sources are not touched. What was fetched stays in the cache.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

const options = (/** @type {Record<string, string>} */ values) =>
  Object.entries(values).flatMap(([name, value]) => ['-o', `${name}=${value}`]);

/** @param {import('./kernels.mjs').Suite} suite */
const sourceLine = ({ url, name, keyring }) =>
  `deb [${keyring ? `signed-by=${keyring}` : 'trusted=yes'}] ${url} ${name} main\n`;

export class Packages {
  #dir;
  #options;

  /** @param {string} cache @param {string} arch @param {import('./kernels.mjs').Suite[]} suites */
  constructor(cache, arch, suites) {
    this.#dir = join(cache, 'apt', `${suites.map((suite) => suite.name).join('+')}-${arch}`);
    const at = (/** @type {string} */ name) => join(this.#dir, name);
    for (const name of ['etc', 'lists/partial', 'archives/partial', 'state']) mkdirSync(at(name), { recursive: true });
    writeFileSync(at('etc/sources.list'), suites.map(sourceLine).join(''));
    writeFileSync(at('state/status'), '');
    this.#options = options({
      'APT::Architecture': arch,
      'APT::Architectures': arch,
      'Dir::Etc::SourceList': at('etc/sources.list'),
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::Etc::Preferences': '/dev/null',
      'Dir::Etc::PreferencesParts': '/dev/null',
      'Dir::State::Status': at('state/status'),
      'Dir::State::Lists': at('lists'),
      'Dir::Cache': at(''),
      'Dir::Cache::Archives': at('archives'),
      'APT::Sandbox::User': 'root',
      'Acquire::Languages': 'none',
      'Debug::NoLocking': '1',
    });
  }

  /** Reads the suite's list of packages, once a day: archives drop the versions of old lists. */
  #update() {
    const stamp = join(this.#dir, 'updated');
    if (existsSync(stamp) && Date.now() - statSync(stamp).mtimeMs < DAY_MS) return;
    this.#run('apt-get', 'update', '-q');
    writeFileSync(stamp, '');
  }

  /** @param {string} command @param {...string} args */
  #run(command, ...args) {
    return execFileSync(command, [...this.#options, ...args], {
      cwd: join(this.#dir, 'archives'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The newest package whose name fits. @param {RegExp} pattern */
  newest(pattern) {
    this.#update();
    const names = this.#run('apt-cache', 'pkgnames', 'linux-')
      .split('\n')
      .filter((name) => pattern.test(name));
    const found = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
    if (found === undefined) throw new Error(`no package ${pattern.source} in ${this.#dir}`);
    return found;
  }

  /** One package, without what it depends on. @param {string} name @returns {string} its path */
  fetch(name) {
    this.#update();
    const archives = join(this.#dir, 'archives');
    const found = () => readdirSync(archives).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
    if (found() === undefined) this.#run('apt-get', 'download', '-q', name);
    return join(archives, String(found()));
  }

  /** Packages and all that they depend on. @param {readonly string[]} names @returns {string[]} their paths */
  fetchAll(names) {
    this.#update();
    const archives = join(this.#dir, 'archives');
    // A kernel of the same suite lies beside them. Those of an earlier list go: two versions of one would be unpacked.
    const found = () =>
      readdirSync(archives)
        .filter((file) => file.endsWith('.deb') && !file.startsWith('linux-'))
        .map((file) => join(archives, file));
    for (const old of found()) rmSync(old);
    this.#run('apt-get', 'install', '-q', '-y', '--download-only', '--no-install-recommends', ...names);
    return found();
  }
}

/** @param {string} deb @param {string} folder */
export const unpack = (deb, folder) => {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  execFileSync('sh', [
    '-c',
    'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"',
    'sh',
    deb,
    folder,
  ]);
};
