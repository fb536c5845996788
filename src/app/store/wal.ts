// A SQLite database with its write-ahead log as one image, as a reader would see it now (https://sqlite.org/fileformat2.html
// §4 and https://sqlite.org/walformat.html). Done on copies in memory: the files of a running editor are only read, no lock
// is taken, no -shm file is made. Damaged or foreign logs add nothing.

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Lowest bit: checksums are of big-endian words. */
const MAGIC_LITTLE = 0x377f0682;
const MAGIC_BIG = 0x377f0683;
/** Database header, fileformat2 §1.3: 18 and 19 are 2 in WAL mode, 1 otherwise. */
const WRITE_VERSION_AT = 18;
const READ_VERSION_AT = 19;

type Sums = readonly [number, number];

/** walformat §4.1.2: two sums over pairs of 32-bit words. */
function checksum(view: DataView, from: number, to: number, isLittle: boolean, [a, b]: Sums): Sums {
  let [s0, s1] = [a, b];
  for (let at = from; at < to; at += 8) {
    s0 = (s0 + view.getUint32(at, isLittle) + s1) >>> 0;
    s1 = (s1 + view.getUint32(at + 4, isLittle) + s0) >>> 0;
  }
  return [s0, s1];
}

interface Log {
  readonly view: DataView;
  readonly isLittle: boolean;
  readonly pageBytes: number;
  readonly salts: Sums;
  readonly sums: Sums;
}

function openLog(wal: Uint8Array): Log | null {
  if (wal.length < WAL_HEADER_BYTES) return null;
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  const magic = view.getUint32(0);
  const pageBytes = view.getUint32(8);
  const isPage = pageBytes >= 512 && pageBytes <= 65_536 && Math.log2(pageBytes) % 1 === 0;
  if ((magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) || !isPage) return null;
  const isLittle = magic === MAGIC_LITTLE;
  const sums = checksum(view, 0, 24, isLittle, [0, 0]);
  if (sums[0] !== view.getUint32(24) || sums[1] !== view.getUint32(28)) return null;
  return { view, isLittle, pageBytes, salts: [view.getUint32(16), view.getUint32(20)], sums };
}

interface Frame {
  readonly page: number;
  /** Pages of the database after this commit; 0 for a frame that ends none. */
  readonly commitPages: number;
  readonly at: number;
}

/** Frames of this log's generation whose checksums hold, in order. */
function* framesOf({ view, isLittle, pageBytes, salts, sums }: Log): Generator<Frame> {
  let known = sums;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = WAL_HEADER_BYTES; at + frameBytes <= view.byteLength; at += frameBytes) {
    if (view.getUint32(at + 8) !== salts[0] || view.getUint32(at + 12) !== salts[1]) return;
    known = checksum(view, at, at + 8, isLittle, known);
    known = checksum(view, at + FRAME_HEADER_BYTES, at + frameBytes, isLittle, known);
    if (known[0] !== view.getUint32(at + 16) || known[1] !== view.getUint32(at + 20)) return;
    yield { page: view.getUint32(at), commitPages: view.getUint32(at + 4), at: at + FRAME_HEADER_BYTES };
  }
}

/** Page number to offset in the log, up to the last commit; and the size of the database then. */
function committed(log: Log): { readonly pages: ReadonlyMap<number, number>; readonly count: number } | null {
  const pages = new Map<number, number>();
  let pending = new Map<number, number>();
  let count = 0;
  for (const { page, commitPages, at } of framesOf(log)) {
    pending.set(page, at);
    if (commitPages === 0) continue;
    for (const [number, offset] of pending) pages.set(number, offset);
    pending = new Map();
    count = commitPages;
  }
  return count === 0 ? null : { pages, count };
}

/** Larger databases are refused: an image is held in memory whole. */
export const MAX_IMAGE_BYTES = 1024 ** 3;

/** The database as one file image in rollback mode. */
export function mergeWal(database: Uint8Array, wal: Uint8Array | null): Uint8Array {
  const log = wal === null ? null : openLog(wal);
  const changes = log === null ? null : committed(log);
  let image = database.slice();
  if (wal !== null && log !== null && changes !== null && changes.count * log.pageBytes <= MAX_IMAGE_BYTES) {
    image = new Uint8Array(changes.count * log.pageBytes);
    image.set(database.subarray(0, image.length));
    for (const [page, at] of changes.pages) {
      if (page >= 1 && page <= changes.count)
        image.set(wal.subarray(at, at + log.pageBytes), (page - 1) * log.pageBytes);
    }
  }
  if (image.length > READ_VERSION_AT) {
    image[WRITE_VERSION_AT] = 1;
    image[READ_VERSION_AT] = 1;
  }
  return image;
}
