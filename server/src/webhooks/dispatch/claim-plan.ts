/**
 * Decides when to claim again, and how much. A claim is worth its statement
 * - after a wake-up,
 * - when an endpoint that may have more due deliveries holds only half of what it may hold here,
 * - when a merchant whose endpoints were left out may hold more again.
 *
 * Pure: it remembers what earlier claims found, and the caller passes what is held.
 */

import { type Claim, type ClaimRequest, firstEndpoint, type PassedOver } from '../queue/claim.ts';
import type { Backlog } from './backlog.ts';
import type { ClaimCapacity } from './claim-capacity.ts';
import { heldPerFlight } from './shares.ts';

export interface ClaimPlan {
  /** Notes a wake-up: there may be due deliveries that no claim has seen. */
  noteWakeUp(): void;
  /**
   * Returns what to claim now, or undefined. The caller passes the claim's result to `finish`, unless the claim fails.
   */
  begin(held: Held): ClaimRequest | undefined;
  finish(request: ClaimRequest, claim: Claim): void;
  /** Whether more deliveries may be due than were claimed here, so that other workers could take some. */
  readonly isMoreDue: boolean;
}

type Held = ClaimCapacity & Pick<Backlog, 'isFullyInFlight'>;

export function createClaimPlan(concurrency: number): ClaimPlan {
  const most = heldPerFlight * concurrency;
  /** Endpoints of which a claim brought as many deliveries as it was allowed to, so more may be due. */
  const unfinished = new Set<string>();
  /** Merchants and modes that the last claim left out. */
  let leftOut = new Set<string>();
  let isClaimWanted = false;
  /**
   * A claim visits endpoints in the order of their ids, and begins behind this one. After a full claim it is the last
   * endpoint served.
   */
  let after = firstEndpoint;

  function isWorthwhile(held: Held): boolean {
    if (isClaimWanted) return true;
    // Endpoints that answer slowly may use most of the capacity for a long time. Then the next endpoints get the free
    // rest at once, although it is less than half.
    if (after !== firstEndpoint) return held.freeCapacity() >= most / 2 || !held.isFullyInFlight;
    return [...unfinished].some((id) => held.isLow(id)) || hasCapacityAgain(held);
  }

  function hasCapacityAgain(held: Held): boolean {
    if (leftOut.size === 0) return false;
    const stillLeftOut = keysOf(held.passedOver());
    return [...leftOut].some((key) => !stillLeftOut.has(key));
  }

  return {
    get isMoreDue() {
      return after !== firstEndpoint || unfinished.size > 0 || leftOut.size > 0;
    },
    noteWakeUp() {
      isClaimWanted = true;
    },
    begin(held) {
      if (held.freeCapacity() <= 0 || !isWorthwhile(held)) return undefined;
      isClaimWanted = false;
      const passedOver = held.passedOver();
      leftOut = keysOf(passedOver);
      return {
        slots: held.slots(),
        slotsPerEndpoint: held.slotsPerNewEndpoint,
        slotsOf: held.slotsByEndpoint(),
        passedOver,
        after,
      };
    },
    finish(request, claim) {
      const wasVisited = (id: string) => id > request.after && (!claim.isFull || id <= claim.last);
      for (const id of unfinished) if (wasVisited(id)) unfinished.delete(id);
      for (const id of filled(request, claim)) unfinished.add(id);
      after = claim.isFull ? claim.last : firstEndpoint;
      // A claim that began in the middle and reached the last endpoint has not seen the first ones.
      if (!claim.isFull && request.after !== firstEndpoint) isClaimWanted = true;
    },
  };
}

/** Endpoints of which as many deliveries were taken as the claim allowed. For some endpoints it allowed none. */
function filled({ slotsOf, slotsPerEndpoint }: ClaimRequest, { taken }: Claim): string[] {
  const asked = new Set([...slotsOf.keys(), ...taken.keys()]);
  return [...asked].filter((id) => (taken.get(id) ?? 0) >= (slotsOf.get(id) ?? slotsPerEndpoint));
}

const keysOf = (passedOver: readonly PassedOver[]) =>
  new Set(passedOver.map(({ merchantId = '', mode = '' }) => `${merchantId}/${mode}`));
