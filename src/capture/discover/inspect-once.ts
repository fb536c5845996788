// Program: looks into one file and prints its findings as JSON. Run by as-mounter.ts as a user that may read what root may not.
// Arguments: the way to the file, and the inode that it must be.

import { findingsOf } from './process.ts';
import { openFileSource } from './source.ts';

const [path = '', inode = ''] = process.argv.slice(2);
const source = openFileSource(path);
if (source.ok && String(source.value.inode) === inode)
  process.stdout.write(JSON.stringify(findingsOf(source.value, undefined)));
else process.exitCode = 1;
