// Numbers for people: short, with their unit, always the same width class.

const KIB = 1024;
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 B`, `12.3 KiB`. */
export function bytes(count: number): string {
  if (count < KIB) return `${count} B`;
  let value = count / KIB;
  let unit = 0;
  while (value >= KIB && unit < UNITS.length - 1) {
    value /= KIB;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}

/** An exact count in groups of three: `1,234,567`. */
export const exact = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `85ms`, `1.24s`, `12.4s`, `3m05s`, `2h03m`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)}s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}

/** Local time of day of an ISO time, `16:20:41.123`. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, '0');
  const millis = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${millis}`;
}

/** `1 call`, `2 calls`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;
