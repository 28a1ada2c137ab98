import type { Mode } from '../kit/mode.ts';
import type { SecretRotation } from '../kit/secret-rotation.ts';

/** A delivery that this process holds until its lease ends, with everything that is needed to send it. */
export interface Claimed {
  id: string;
  lease: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  /** The position of the event in its trace. Null when the event is not traced. */
  eventTraceparent: string | null;
  endpointId: string;
  target: Target;
  /** The number of recorded attempts. */
  attemptCount: number;
  /**
   * Claims since the last recorded attempt, this one included. Above `mostClaims` it counts how often the delivery
   * was sent alone, see `crash-suspects.ts`.
   */
  claims: number;
}

/** A due delivery for whose endpoint nothing else waits, so that it can be claimed by its id. */
export type DueDelivery = Pick<Claimed, 'id' | 'endpointId'>;

/** The endpoint, as all its deliveries in one claim share it. */
export interface Target {
  merchantId: string;
  mode: Mode;
  url: string;
  sealedSecret: string;
  secretRotation?: SecretRotation | null;
}
