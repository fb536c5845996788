// permessage-deflate as negotiated in the response head (RFC 7692 §7.1). Only the response counts: it is the agreement.

export interface DeflateAgreement {
  /** Whether messages of that side refer to earlier ones (context takeover). */
  readonly clientTakeover: boolean;
  readonly serverTakeover: boolean;
}

/** What a Sec-WebSocket-Extensions response value agrees on; undefined: no compression. Window sizes need no action: a
 *  decoder with the largest window reads all smaller ones (RFC 7692 §7.1.2). */
export function deflateAgreement(extensions: string | undefined): DeflateAgreement | undefined {
  for (const extension of (extensions ?? '').split(',')) {
    const [name, ...parameters] = extension.split(';').map((part) => part.trim().toLowerCase());
    if (name !== 'permessage-deflate') continue;
    const has = (parameter: string): boolean => parameters.some((part) => part.split('=')[0]?.trim() === parameter);
    return { clientTakeover: !has('client_no_context_takeover'), serverTakeover: !has('server_no_context_takeover') };
  }
  return undefined;
}
