// The table of export formats: one row is one option of `tracer export`.

import type { ExportFormat } from './export.ts';
import { har } from './har/har.ts';
import { otlp } from './otlp/otlp.ts';
import { pcapng } from './pcapng/pcapng.ts';
import { sqliteExport } from './sqlite/sqlite.ts';

/** In the order of the help text. */
export const EXPORTS: readonly ExportFormat[] = [har, sqliteExport, otlp, pcapng];
