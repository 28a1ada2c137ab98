/**
 * When to claim again, and how much. A claim is worth its statement when somebody rang, or when an endpoint that is known to
 * have more is down to half of what it may hold here. Pure: it knows what earlier claims found, and is told what is held.
 */
import type { Backlog } from './backlog.ts';
import { type Claim, type ClaimRequest, firstEndpoint } from './claim.ts';
import { heldPerFlight } from './lanes.ts';

export interface ClaimPlan {
  /** Somebody rang: there may be due deliveries that no claim has seen. */
  expectMore(): void;
  /** What to claim now, if anything. Every claim that is begun is followed by its result, unless it fails. */
  begin(held: Held): ClaimRequest | undefined;
  finish(request: ClaimRequest, claim: Claim): void;
  /** More is due than was claimed here, as far as anybody knows: others may take some. */
  readonly knowsMore: boolean;
}

type Held = Pick<Backlog, 'room' | 'isFullyInFlight' | 'firstRoom' | 'rooms' | 'isLow'>;

export function createClaimPlan(concurrency: number): ClaimPlan {
  const most = heldPerFlight * concurrency;
  /** Endpoints that got all that they may hold, and may therefore have more. */
  const unfinished = new Set<string>();
  let isExpectingMore = false;
  /** Where the walk over the endpoints goes on; somewhere in the middle after a claim that was filled before the end. */
  let after = firstEndpoint;

  function isWorthwhile(held: Held): boolean {
    if (isExpectingMore) return true;
    // Endpoints that answer slowly may hold most of it for long: then whatever room is left goes to the next ones at once.
    if (after !== firstEndpoint) return held.room() >= most / 2 || !held.isFullyInFlight;
    return [...unfinished].some((id) => held.isLow(id));
  }

  return {
    get knowsMore() {
      return after !== firstEndpoint || unfinished.size > 0;
    },
    expectMore() {
      isExpectingMore = true;
    },
    begin(held) {
      if (held.room() <= 0 || !isWorthwhile(held)) return undefined;
      isExpectingMore = false;
      return { slots: held.room(), slotsPerEndpoint: held.firstRoom, slotsOf: held.rooms(), after };
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
