import type { Mode } from '../kit/mode.ts';
import type { Claimed } from './claim.ts';
import type { Holding, Share } from './shares.ts';
import type { Line } from './turns.ts';

/** What this process holds of one endpoint. Whoever changes what waits or is in flight settles it afterwards. */
export interface Lane {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly shares: readonly Share[];
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** Whether it is known to answer, be it slowly. */
  isAnswering: boolean;
  /** Where it waits for its turn. */
  line: Line<Lane> | undefined;
  /** What the shares count of it. */
  counted: Holding;
}
