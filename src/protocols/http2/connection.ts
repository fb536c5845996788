// A passive HTTP/2 connection (RFC 9113): two directions in, exchanges out. Decides which direction is the client's (by
// the preface, or by what is certain when joined late), binds SETTINGS of one side to the other's frames at the ACK, and
// holds back what cannot be attributed before the client is known.
//
// LIMITS: MAX_HELD_BYTES of body and MAX_HELD elements wait for the client to be known; MAX_UNACKED settings frames.

import type { Dir, EndReason } from '../../model/index.ts';
import type { ConnInfo, ProtocolParser, ProtoEvent } from '../protocol.ts';
import { Direction, type DirectionSink } from './direction.ts';
import { Exchanges } from './exchanges.ts';
import { type FrameFault, readUint32, SETTING } from './frame.ts';
import { headKind } from './head.ts';
import type { HeaderBlock } from './header-blocks.ts';

/** The first header block nearly always tells the client; until then bodies of streams in progress wait. */
const MAX_HELD_BYTES = 256 * 1024;
const MAX_HELD = 4096;
/** Endpoints treat a peer that never acknowledges as broken long before. */
const MAX_UNACKED = 64;

const otherDir = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');

/** Settings of a frame that bind the other direction once acknowledged. */
interface Announced {
  readonly tableBytes: number | undefined;
}

export class Http2Connection implements ProtocolParser, DirectionSink {
  private readonly info: ConnInfo;
  private readonly directions: Readonly<Record<Dir, Direction>>;
  /** SETTINGS sent in that direction and not yet acknowledged by the other. */
  private readonly unacked: Readonly<Record<Dir, Announced[]>> = { out: [], in: [] };
  /** False after a hole or a late join: an ACK can no longer be matched with its SETTINGS. */
  private acksMatch = true;
  private pastKnown: boolean;
  private exchanges: Exchanges | undefined;
  private held: ((to: Exchanges) => void)[] = [];
  private heldBytes = 0;
  /** What did not fit while the client was not known: elements, and octets of bodies. */
  private unheld = 0;
  private readonly unheldBytes: Record<Dir, number> = { out: 0, in: 0 };
  private tsNs = 0n;
  private hasGivenUp = false;
  private readonly ended = new Set<Dir>();

  constructor(info: ConnInfo) {
    this.info = info;
    this.pastKnown = info.outWhole && info.inWhole;
    this.directions = {
      out: new Direction('out', info.outWhole, this),
      in: new Direction('in', info.inWhole, this),
    };
    // The client's first settings are in the HTTP2-Settings field of the upgrading request (RFC 7540 §3.2.1).
    if (!this.pastKnown || info.upgradedBy !== undefined) this.forgetSettings();
    if (info.upgradedBy !== undefined) this.setClient(info.upgradedBy).upgraded();
  }

  data(dir: Dir, bytes: Uint8Array, tsNs: bigint): void {
    this.tsNs = tsNs;
    if (!this.hasGivenUp) this.directions[dir].push(bytes);
  }

  gap(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.tsNs = tsNs;
    if (!this.hasGivenUp && lostBytes > 0) this.directions[dir].gap(lostBytes);
  }

  /** How open exchanges ended is the engine's to say. Elements that still wait cannot be told any more. */
  end(dir: Dir, _why: EndReason, tsNs: bigint): void {
    this.tsNs = tsNs;
    this.ended.add(dir);
    if (this.ended.size < 2) return;
    this.unheld += this.held.length;
    this.unheldBytes[dir] += this.heldBytes;
    this.held = [];
    this.heldBytes = 0;
    this.reportUnheld(dir);
    this.exchanges?.endOfConnection();
  }

  private reportUnheld(dir: Dir): void {
    const octets = this.unheldBytes.out + this.unheldBytes.in;
    if (this.unheld === 0 && octets === 0) return;
    const detail = `${this.unheld} elements and ${octets} octets of bodies passed before the client was known`;
    this.fault(dir, { code: 'h2.unattributed', detail, spec: 'RFC 9113 §5.1.1' });
    this.unheld = 0;
    this.unheldBytes.out = 0;
    this.unheldBytes.in = 0;
  }

  preface(dir: Dir): void {
    this.setClient(dir);
  }

  headers(dir: Dir, block: HeaderBlock): void {
    if (this.exchanges === undefined) this.inferClient(dir, block);
    this.tell((to) => to.headers(dir, block));
  }

  headersLost(dir: Dir, stream: number, promised: number | undefined, endStream: boolean): void {
    const detail = 'a header block could not be read';
    this.fault(dir, { code: 'h2.block-lost', detail, spec: 'RFC 9113 §4.3' }, promised || stream);
    this.tell((to) => to.headersLost(dir, stream, promised, endStream));
  }

  dataBytes(dir: Dir, stream: number, bytes: Uint8Array): void {
    if (this.exchanges !== undefined) {
      this.exchanges.data(dir, stream, bytes);
      return;
    }
    if (this.held.length >= MAX_HELD) {
      this.unheldBytes[dir] += bytes.length;
      return;
    }
    if (this.heldBytes + bytes.length > MAX_HELD_BYTES) {
      this.dataLost(dir, stream, bytes.length, false);
      return;
    }
    const kept = bytes.slice();
    this.heldBytes += kept.length;
    this.tell((to) => to.data(dir, stream, kept));
  }

  dataLost(dir: Dir, stream: number, lostBytes: number, isAtMost: boolean): void {
    this.tell((to) => to.dataLost(dir, stream, lostBytes, isAtMost));
  }

  dataEnd(dir: Dir, stream: number): void {
    this.tell((to) => to.dataEnd(dir, stream));
  }

  reset(dir: Dir, stream: number, errorCode: number | undefined): void {
    this.tell((to) => to.reset(dir, stream, errorCode));
  }

  goaway(dir: Dir, lastStream: number, errorCode: number): void {
    if (errorCode !== 0) {
      this.fault(dir, { code: 'h2.goaway', detail: `GOAWAY with error code ${errorCode}`, spec: 'RFC 9113 §6.8' });
    }
    this.tell((to) => to.goaway(dir, lastStream));
  }

  /**
   * ```
   *  Identifier (16) | Value (32)   repeated
   * ```
   */
  settings(dir: Dir, payload: Uint8Array): void {
    let tableBytes: number | undefined;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = readUint32(payload, at + 2);
      switch (((payload[at] as number) << 8) | (payload[at + 1] as number)) {
        case SETTING.headerTableSize:
          tableBytes = value;
          break;
        case SETTING.maxFrameSize:
          this.directions[otherDir(dir)].allowFrameBytes(value);
      }
    }
    const unacked = this.unacked[dir];
    if (unacked.push({ tableBytes }) > MAX_UNACKED) unacked.shift();
  }

  /** The sender of the ACK uses the settings from here on (§6.5.3), so its next header block is bound by them. */
  settingsAck(dir: Dir): void {
    const announced = this.unacked[otherDir(dir)].shift();
    const { tableBytes } = announced ?? {};
    if (this.acksMatch && tableBytes !== undefined) this.directions[dir].blocks.hpack.allow(tableBytes);
  }

  settingsLost(): void {
    this.forgetSettings();
  }

  /** From here on no ACK tells which table size it acknowledges: any is believed. */
  private forgetSettings(): void {
    this.acksMatch = false;
    this.directions.out.forgetSettings();
    this.directions.in.forgetSettings();
  }

  hole(dir: Dir, lostBytes: number): void {
    this.pastKnown = false;
    this.tell((to) => to.hole(dir, lostBytes));
  }

  fault(dir: Dir, { code, detail, spec }: FrameFault, stream?: number): void {
    this.emit({ type: 'wire-error', dir, code, detail, spec, ...(stream === undefined ? {} : { stream }) });
  }

  giveUp(reason: string): void {
    this.hasGivenUp = true;
    this.emit({ type: 'give-up', reason });
  }

  private emit(event: ProtoEvent): void {
    this.info.emit(event, this.tsNs);
  }

  private inferClient(dir: Dir, { promised, block }: HeaderBlock): void {
    if (promised !== undefined) {
      this.setClient(otherDir(dir));
      return;
    }
    const kind = headKind(block.fields);
    if (kind !== undefined) this.setClient(kind === 'request' ? dir : otherDir(dir));
  }

  private setClient(dir: Dir): Exchanges {
    if (this.exchanges !== undefined) return this.exchanges;
    const exchanges = new Exchanges(dir, this.pastKnown, (event) => this.emit(event));
    this.exchanges = exchanges;
    const { held } = this;
    this.held = [];
    this.heldBytes = 0;
    for (const tell of held) tell(exchanges);
    for (const side of ['out', 'in'] as const) {
      if (this.unheldBytes[side] > 0) exchanges.hole(side, this.unheldBytes[side]);
    }
    this.reportUnheld(dir);
    return exchanges;
  }

  /** Tells the exchanges, now or as soon as the client is known. */
  private tell(what: (to: Exchanges) => void): void {
    if (this.exchanges !== undefined) what(this.exchanges);
    else if (this.held.length < MAX_HELD) this.held.push(what);
    else this.unheld++;
  }
}
