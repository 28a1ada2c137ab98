/**
 * When to claim again, and how much. A claim is worth its statement when somebody rang, or when an endpoint that is known to
 * have more is down to half of what it may hold here. Pure: it knows what earlier claims found, and is told what is held.
 */
import type { Backlog } from './backlog.ts';
import { type Claim, type ClaimRequest, firstEndpoint } from './claim.ts';

export interface ClaimPlan {
  /** Somebody rang: there may be due deliveries that no claim has seen. */
  expectMore(): void;
  /** What to claim now, if anything. Every claim that is begun is followed by its result, unless it fails. */
  begin(held: Held): ClaimRequest | undefined;
  finish(request: ClaimRequest, claim: Claim): void;
}

type Held = Pick<Backlog, 'size' | 'isFullyInFlight' | 'heldOf' | 'perEndpoint'>;

interface PlanLimits {
  concurrency: number;
  endpointConcurrency: number;
}

/** How many times what may be in flight is held here, for each endpoint and for all. */
const heldPerFlight = 8;

export function createClaimPlan({ concurrency, endpointConcurrency }: PlanLimits): ClaimPlan {
  const most = heldPerFlight * concurrency;
  const mostPerEndpoint = heldPerFlight * endpointConcurrency;
  /** Endpoints that got all that they may hold, and may therefore have more. */
  const unfinished = new Set<string>();
  let isExpectingMore = false;
  /** Where the walk over the endpoints goes on; somewhere in the middle after a claim that was filled before the end. */
  let after = firstEndpoint;

  function isWorthwhile(held: Held): boolean {
    if (isExpectingMore) return true;
    // Endpoints that answer slowly may hold most of it for long: then whatever room is left goes to the next ones at once.
    if (after !== firstEndpoint) return held.size <= most / 2 || !held.isFullyInFlight;
    return [...unfinished].some((id) => held.heldOf(id) <= mostPerEndpoint / 2);
  }

  return {
    expectMore() {
      isExpectingMore = true;
    },
    begin(held) {
      const slots = most - held.size;
      if (slots <= 0 || !isWorthwhile(held)) return undefined;
      isExpectingMore = false;
      return { slots, slotsPerEndpoint: mostPerEndpoint, held: held.perEndpoint(), after };
    },
    finish(request, claim) {
      const wasWalked = (id: string) => id > request.after && (!claim.isFull || id <= claim.last);
      for (const id of unfinished) if (wasWalked(id)) unfinished.delete(id);
      for (const [id, count] of heldAfter(request, claim)) if (count >= mostPerEndpoint) unfinished.add(id);
      after = claim.isFull ? claim.last : firstEndpoint;
      // A walk to the last endpoint that began in the middle has not seen the first ones.
      if (!claim.isFull && request.after !== firstEndpoint) isExpectingMore = true;
    },
  };
}

/** What is held of each endpoint, as if nothing had ended since the claim began. */
function heldAfter({ held }: ClaimRequest, { taken }: Claim): Map<string, number> {
  const counts = new Map(held);
  for (const [id, count] of taken) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}
