// Compiles the C clients against the system's libssl, once per content, into a folder of the user's own under the temporary
// directory. Needs a C compiler and libssl-dev.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kitPath } from './service.ts';

const run = promisify(execFile);
/** True when the headers that the C clients need are installed. */
export const LIBSSL_DEV = existsSync('/usr/include/openssl/ssl.h');

const FLAGS = ['-O2', '-Wall', '-Wextra', '-Werror'];
const LIBRARIES = ['-lssl', '-lcrypto', '-lpthread'];

const cacheKey = async (source: string): Promise<string> => {
  const texts = [await readFile(source), await readFile(kitPath('c/kit.h'))];
  return createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 16);
};

/** Path of the executable made of `c/<name>.c`. */
export async function compileClient(name: string): Promise<string> {
  const source = kitPath(`c/${name}.c`);
  const target = join(tmpdir(), `tracer-kit-${process.getuid?.() ?? 0}-${name}-${await cacheKey(source)}`);
  if (
    await access(target).then(
      () => true,
      () => false,
    )
  )
    return target;
  const dir = await mkdtemp(join(tmpdir(), 'tracer-kit-build-'));
  await run('cc', [...FLAGS, '-o', join(dir, name), source, ...LIBRARIES]);
  await rename(join(dir, name), target);
  await rm(dir, { recursive: true });
  return target;
}
