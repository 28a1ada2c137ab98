import type { Mode } from '../../kit/mode.ts';
import type { Claimed } from '../queue/claim.ts';
import type { Holding, Share } from './shares.ts';
import type { Line } from './turns.ts';

/** What this process holds of one endpoint. After a change of what waits or is in flight, it has to be settled. */
export interface Lane {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly shares: readonly Share[];
  readonly waiting: { delivery: Claimed; sendByMs: number }[];
  inFlight: number;
  cap: number;
  /** Whether it is known to answer, even if slowly. */
  isAnswering: boolean;
  /** Where it waits for its turn. */
  line: Line<Lane> | undefined;
  /** What the shares count of it. */
  counted: Holding;
}
