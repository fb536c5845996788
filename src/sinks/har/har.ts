// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), written as exchanges end, so that no recording is too long for
// it. Fields that browsers' developer tools add begin with an underscore, as the specification asks.

import type { ExportFormat } from '../export.ts';
import { safeJson } from '../safe-json.ts';
import { harEntry } from './entry.ts';

export const har: ExportFormat = {
  name: 'har',
  flag: 'har',
  argument: 'file',
  description: 'HTTP archive 1.2, for browsers’ developer tools',
  isRaw: false,
  async open(target, host) {
    const file = host.openFile(target);
    const creator = JSON.stringify({ name: 'tracer', version: host.toolVersion });
    file.write(`{"log":{"version":"1.2","creator":${creator},"entries":[`);
    let separator = '\n';
    return {
      exchange(exchange) {
        file.write(`${separator}${safeJson(harEntry(exchange))}`);
        separator = ',\n';
      },
      async end() {
        file.write('\n]}}\n');
        file.close();
      },
    };
  },
};
