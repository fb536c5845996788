// What the command line needs to know about the bus, without knowing the sinks.

import { parseServerUrl } from '../sinks/index.ts';

export type { NatsServerSettings, NatsSinkSettings, ReaderSettings, ReadFrom } from '../sinks/index.ts';

/** Throws E_NATS_URL when the text names no server. */
export const checkServerUrl = (text: string): void => void parseServerUrl(text);
