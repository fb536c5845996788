// The answer of `tracer find`, before it is put into words or JSON.
import type { BlindSpot, Hit, Needle } from '../../insight/index.ts';

export type Verdict = 'yes' | 'no' | 'unknown';

export interface FindResult {
  readonly verdict: Verdict;
  readonly what: Needle['kind'];
  readonly hits: readonly Hit[];
  readonly sent: number;
  readonly received: number;
  readonly blindSpots: readonly BlindSpot[];
  readonly moreBlindSpots: number;
}
