// Thread that looks into large program files while the event loop goes on handing out records. One file per message; the
// answer is the file's findings, or null when it can no longer be opened.

import { parentPort } from 'node:worker_threads';
import { findingsOf } from '../discover/process.ts';
import { openFileSource } from '../discover/source.ts';

parentPort?.on('message', (path: string) => {
  const source = openFileSource(path);
  const findings = source.ok ? findingsOf(source.value, undefined) : null;
  if (source.ok) source.value.close();
  parentPort?.postMessage({ path, findings });
});
