// HTTP/2: the door of this folder.

import type { Protocol } from '../protocol.ts';
import { Http2Connection } from './connection.ts';
import { peek } from './peek.ts';

export const http2: Protocol = {
  name: 'http/2',
  peek,
  open: (info) => new Http2Connection(info),
};
