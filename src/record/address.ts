// Socket addresses as text: RFC 5952 for IPv6. Knows bytes only, no sockets.

/** Addresses of IPv4 inside IPv6 sockets (RFC 4291 §2.5.5.2) are shown as IPv4. */
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff] as const;

const groupsOf = (bytes: Uint8Array): number[] =>
  Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0));

/** Start and length of the longest run of zero groups, the first of equals; runs of one are not shortened. */
function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function ipv6(bytes: Uint8Array): string {
  const groups = groupsOf(bytes);
  if (MAPPED_PREFIX.every((group, i) => groups[i] === group)) return ipv4(bytes.subarray(12));
  const { start, length } = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  const text = length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
  return `[${text}]`;
}

const ipv4 = (bytes: Uint8Array): string => bytes.subarray(0, 4).join('.');

/** `bytes`: 4 or 16, in network order. */
export const addressText = (bytes: Uint8Array, port: number): string =>
  `${bytes.length === 4 ? ipv4(bytes) : ipv6(bytes)}:${port}`;

/** The inverse; null for what `addressText` does not write. IPv4 gives 4 bytes, IPv6 16. */
export function parseAddress(text: string): { readonly bytes: Uint8Array; readonly port: number } | null {
  const [, six, four, port] = /^(?:\[([0-9a-f:]+)\]|([\d.]+)):(\d+)$/.exec(text) ?? [];
  if (port === undefined) return null;
  if (four !== undefined) return { bytes: Uint8Array.from(four.split('.').map(Number)), port: Number(port) };
  const [head = '', tail] = (six ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const bytes = [...left, ...zeros, ...right].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return { bytes: Uint8Array.from(bytes), port: Number(port) };
}
