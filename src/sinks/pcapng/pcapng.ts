// Plaintext as a packet capture, for Wireshark and its kin. Nothing is redacted: packets cannot be changed and still be read.

import type { ExportFormat } from '../export.ts';
import { FlowWriter } from './flows.ts';

export const pcapng: ExportFormat = {
  name: 'pcapng',
  flag: 'pcapng',
  argument: 'file',
  description: 'packet capture of the plaintext, for Wireshark (needs --raw: holds all secrets)',
  isRaw: true,
  async open(target, host) {
    const file = host.openFile(target);
    const flows = new FlowWriter((bytes) => file.write(bytes), `tracer ${host.toolVersion}`);
    return {
      record: (record) => flows.record(record),
      end: async () => file.close(),
    };
  },
};
