// Writes a recording from records as values: the file that `scrub` makes.

import type { CaptureRecord } from '../../model/index.ts';
import { createRecordingWriter, encodeRecord } from '../../record/index.ts';
import { PrivateFile } from '../private-file.ts';
import { packBlock } from '../recorder.ts';

export interface RecordingOutput {
  add(record: CaptureRecord): void;
  /** Writes what is pending. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Throws E_FILE_UNWRITABLE; `flush` and `close` reject with E_FILE_FULL. */
export function openRecordingOutput(path: string, user: string, toolVersion: string): RecordingOutput {
  const file = new PrivateFile(path, user);
  const writer = createRecordingWriter();
  let working: Promise<void> = Promise.resolve();
  let begun = false;
  /** The clock is that of the session, so that the file can be merged with others, and told from them. */
  const begin = (monoNs: bigint, wallNs: bigint): void => {
    if (begun) return;
    begun = true;
    // Host name and boot id are whose machine it was: not for others.
    const header = writer.header({ monoNs, wallNs, bootId: '', host: '', toolVersion });
    working = working.then(() => file.write(header));
  };
  /** One after the other: frames stand in the file in the order of their blocks. */
  const flush = (): Promise<void> => {
    if (!begun) return working;
    const block = writer.takeBlock();
    if (block !== null) working = working.then(async () => file.write(writer.frame(block, await packBlock(block))));
    return working;
  };
  return {
    add(record) {
      switch (record.kind) {
        case 'process':
        case 'counters':
        case 'progress':
        case 'call-facts':
          writer.addUser(record);
          return;
        case 'session':
          begin(record.tsNs, record.wallNs);
          writer.addUser({ ...record, host: '' });
          return;
        default:
          writer.addKernel(encodeRecord(record));
      }
    },
    flush,
    async close() {
      begin(0n, 0n);
      await flush();
      await file.write(writer.finish(false));
      file.close();
    },
  };
}
