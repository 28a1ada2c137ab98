import type { Mode } from '../../kit/mode.ts';
import type { Claimed } from '../../wire/claimed.ts';
import type { Holding, Share } from './shares.ts';
import type { WaitingList } from './turns.ts';

/** The deliveries of one endpoint that this process holds. Each change of them is followed by `Lanes.refresh`. */
export interface Lane {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly shares: readonly Share[];
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** Whether the endpoint is known to answer, even if slowly. */
  isAnswering: boolean;
  /** The list in which the lane waits for its turn. */
  waitingList: WaitingList<Lane> | undefined;
  /** The holding that the shares have counted for this lane. */
  counted: Holding;
}
