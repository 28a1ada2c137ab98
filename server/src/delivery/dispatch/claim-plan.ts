/**
 * When to claim again, and how much. A claim is worth its statement when somebody rang, when an endpoint that is known to have
 * more is down to half of what it may hold here, or when a merchant whose endpoints were left out has room again. Pure: it
 * knows what earlier claims found, and is told what is held.
 */

import { type Claim, type ClaimRequest, firstEndpoint, type PassedOver } from '../queue/claim.ts';
import type { Backlog } from './backlog.ts';
import type { ClaimRoom } from './claim-room.ts';
import { heldPerFlight } from './shares.ts';

export interface ClaimPlan {
  /** Somebody rang: there may be due deliveries that no claim has seen. */
  expectMore(): void;
  /** What to claim now, if anything. Every claim that is begun is followed by its result, unless it fails. */
  begin(held: Held): ClaimRequest | undefined;
  finish(request: ClaimRequest, claim: Claim): void;
  /** More is due than was claimed here, as far as anybody knows: others may take some. */
  readonly knowsMore: boolean;
}

type Held = ClaimRoom & Pick<Backlog, 'isFullyInFlight'>;

export function createClaimPlan(concurrency: number): ClaimPlan {
  const most = heldPerFlight * concurrency;
  /** Endpoints that got all that they may hold, and may therefore have more. */
  const unfinished = new Set<string>();
  /** Merchants and modes that the last claim left out. */
  let leftOut = new Set<string>();
  let isExpectingMore = false;
  /** Where the walk over the endpoints goes on; somewhere in the middle after a claim that was filled before the end. */
  let after = firstEndpoint;

  function isWorthwhile(held: Held): boolean {
    if (isExpectingMore) return true;
    // Endpoints that answer slowly may hold most of it for long: then whatever room is left goes to the next ones at once.
    if (after !== firstEndpoint) return held.room() >= most / 2 || !held.isFullyInFlight;
    return [...unfinished].some((id) => held.isLow(id)) || hasRoomAgain(held);
  }

  function hasRoomAgain(held: Held): boolean {
    if (leftOut.size === 0) return false;
    const stillLeftOut = keysOf(held.passedOver());
    return [...leftOut].some((key) => !stillLeftOut.has(key));
  }

  return {
    get knowsMore() {
      return after !== firstEndpoint || unfinished.size > 0 || leftOut.size > 0;
    },
    expectMore() {
      isExpectingMore = true;
    },
    begin(held) {
      if (held.room() <= 0 || !isWorthwhile(held)) return undefined;
      isExpectingMore = false;
      const passedOver = held.passedOver();
      leftOut = keysOf(passedOver);
      return { slots: held.slots(), slotsPerEndpoint: held.firstRoom, slotsOf: held.rooms(), passedOver, after };
    },
    finish(request, claim) {
      const wasWalked = (id: string) => id > request.after && (!claim.isFull || id <= claim.last);
      for (const id of unfinished) if (wasWalked(id)) unfinished.delete(id);
      for (const id of filled(request, claim)) unfinished.add(id);
      after = claim.isFull ? claim.last : firstEndpoint;
      // A walk to the last endpoint that began in the middle has not seen the first ones.
      if (!claim.isFull && request.after !== firstEndpoint) isExpectingMore = true;
    },
  };
}

/** Those that got all that they might, which for some was nothing. */
function filled({ slotsOf, slotsPerEndpoint }: ClaimRequest, { taken }: Claim): string[] {
  const asked = new Set([...slotsOf.keys(), ...taken.keys()]);
  return [...asked].filter((id) => (taken.get(id) ?? 0) >= (slotsOf.get(id) ?? slotsPerEndpoint));
}

const keysOf = (passedOver: readonly PassedOver[]) =>
  new Set(passedOver.map(({ merchantId = '', mode = '' }) => `${merchantId}/${mode}`));
