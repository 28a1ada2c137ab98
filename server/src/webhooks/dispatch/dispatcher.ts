/**
 * Sends due deliveries at least once: a claim is a lease, and a delivery whose result is not recorded before its lease
 * ends is claimed and sent again. Any number of processes may run a dispatcher.
 *
 * The states of a delivery in this process, and the functions that change them:
 *
 *     due               its row in `pending_delivery` may be claimed
 *      |
 *      |  claim()       writes a lease into the row; `publish` may insert the row with a lease
 *      v
 *     claimed           waits in its endpoint's lane, in the fair queue --+
 *      |                                                                  |
 *      |  takeNext()    takes it when a slot is free and it is its turn   |
 *      v                                                                  |
 *     in flight         makeAttempt() signs it and posts it --------------+
 *      |                                                                  |
 *      |  results.add() frees its slot                                    |  handBack()
 *      v                                                                  v
 *     attempted         waits to be recorded                         handed back
 *      |
 *      |  record()      writes a batch; skips a result if its row has another lease by now
 *      |
 *      +--> recorded    delivered or failed: the row is deleted
 *      +--> retried     the lease is removed: due again after the retry delay
 *
 * A delivery is handed back when it waited too long, when its endpoint is gone, when an error prevented the attempt, or
 * when this process stops.
 */
import type { CoreContext, DirectSending, DueDelivery } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';
import type { Ringable } from '../queue/bell.ts';
import {
  type Claim,
  type ClaimRequest,
  claim,
  claimByIds,
  type Exclusion,
  firstEndpoint,
  nextDueMs,
} from '../queue/claim.ts';
import type { FairQueue } from './fair-queue.ts';
import { type ClaimCapacity, heldPerFlight } from './fair-shares.ts';
import { createSending, directInto } from './sending.ts';

export interface Dispatcher {
  ring(): void;
  ringFor(due: readonly DueDelivery[]): void;
  readonly direct: DirectSending;
  /** Deliveries in flight that have not ended after `graceMs` are handed back. */
  stop(graceMs: number): Promise<void>;
}

const outagePauseMs = 1000;
/**
 * A claim runs at least this often, because no wake-up announces an ended lease, and a wake-up may get lost.
 * See docs/decisions/delivery.md, "A regular claim finds ended leases".
 */
const maxPauseMs = 5000;

export function createDispatcher(context: CoreContext, otherWorkers: Ringable): Dispatcher {
  const plan = createClaimPlan(context.config.delivery.concurrency);
  const alarm = createAlarm(() => void wakeOnTimer());
  const sending = createSending(context, { onFreeSlot: sendAndClaim, onDue: alarm.within, otherWorkers });
  const { queue } = sending;
  const direct = directInto(context, sending, () => !isStopping && !plan.isMoreDue);
  const claimingByIds = new Set<Promise<void>>();
  let claiming: Promise<void> | undefined;
  let isStopping = false;

  function ring(): void {
    plan.noteWakeUp();
    sendAndClaim();
  }

  /** Claims by id, unless older deliveries wait for one of the endpoints and may have to be sent first. */
  function ringFor(due: readonly DueDelivery[]): void {
    const busy = direct.offer()?.busyEndpoints;
    if (!busy || due.some(({ endpointId }) => busy.includes(endpointId))) {
      ring();
      return;
    }
    const claim = claimNamed(due).finally(() => claimingByIds.delete(claim));
    claimingByIds.add(claim);
  }

  async function claimNamed(due: readonly DueDelivery[]): Promise<void> {
    const statementAtMs = performance.now();
    try {
      const ids = due.map(({ id }) => id);
      const deliveries = await inOwnStatement(context, (statement) => claimByIds(statement, ids));
      countClaim(context, { deliveries, taken: new Map() }, statementAtMs);
      if (isStopping) return await sending.handOver(deliveries);
      sending.hold(deliveries, { statementAtMs, nowMs: performance.now() });
      sendAndClaim();
    } catch (error) {
      context.log.error({ err: error }, 'Failed to claim due deliveries');
      alarm.within(outagePauseMs);
    }
  }

  function sendAndClaim(): void {
    if (isStopping) return;
    sending.sendNext();
    const request = claiming ? undefined : plan.begin(queue);
    if (request) claiming = claimDue(request);
  }

  async function claimDue(request: ClaimRequest): Promise<void> {
    // The lease in Postgres begins after `statementAtMs`, so it never ends before a lease counted from `statementAtMs`.
    const statementAtMs = performance.now();
    try {
      const found = await claimAndCount(context, request, statementAtMs);
      plan.finish(request, found);
      // Only a process that has claimed deliveries wakes others, because two idle processes would wake each other forever.
      if (plan.isMoreDue && found.deliveries.length > 0) otherWorkers.ring();
      if (isStopping) return await sending.handOver(found.deliveries);
      sending.hold(found.deliveries, { statementAtMs, nowMs: performance.now() });
      claiming = undefined;
      sendAndClaim();
    } catch (error) {
      context.log.error({ err: error }, 'Failed to claim due deliveries');
      claiming = undefined;
      alarm.within(outagePauseMs);
    }
  }

  async function wakeOnTimer(): Promise<void> {
    if (isStopping) return;
    // If this query fails, the following claim fails too, logs the error and sets the timer.
    const dueMs = await inOwnStatement(context, nextDueMs).catch(() => outagePauseMs);
    alarm.within(Math.min(dueMs ?? maxPauseMs, maxPauseMs));
    // Rings after the query, so that the claim also finds deliveries that became due during the query.
    ring();
  }

  function stop(graceMs: number): Promise<void> {
    isStopping = true;
    alarm.cancel();
    return sending.stop(graceMs, () => Promise.all([claiming, ...claimingByIds]));
  }

  alarm.within(0);
  return { ring, ringFor, direct, stop };
}

async function claimAndCount(context: CoreContext, request: ClaimRequest, statementAtMs: number): Promise<Claim> {
  const found = await inOwnStatement(context, (statement) => claim(statement, request));
  countClaim(context, found, statementAtMs);
  return found;
}

function countClaim(
  { metrics }: CoreContext,
  { deliveries, taken }: Pick<Claim, 'deliveries' | 'taken'>,
  statementAtMs: number,
): void {
  metrics.claims.observe((performance.now() - statementAtMs) / 1000);
  metrics.claimed.inc(deliveries.length);
  // `taken` also counts the deliveries of inactive endpoints, which the claim ended as skipped and does not return.
  let takenInAll = 0;
  for (const count of taken.values()) takenInAll += count;
  const skipped = takenInAll - deliveries.length;
  if (skipped > 0) metrics.deliveries.inc({ outcome: 'skipped' }, skipped);
}

/**
 * A claim is made after a wake-up, when an endpoint that may have more due deliveries holds few deliveries in this
 * process, and when a merchant that the last claim left out has capacity again. If a claim did not reach the last
 * endpoint, the next claim continues it.
 */
export interface ClaimPlan {
  noteWakeUp(): void;
  begin(held: Held): ClaimRequest | undefined;
  finish(request: ClaimRequest, claim: Claim): void;
  /** Whether more deliveries may be due than this process claimed. */
  readonly isMoreDue: boolean;
}

type Held = ClaimCapacity & Pick<FairQueue, 'isFullyInFlight'>;

export function createClaimPlan(concurrency: number): ClaimPlan {
  const maxHeld = heldPerFlight * concurrency;
  /** Endpoints that may have more due deliveries, because the last claim took their maximum. */
  const unfinished = new Set<string>();
  let leftOut = new Set<string>();
  let isClaimWanted = false;
  /** The next claim begins after this endpoint, because a claim that fills its slots ends before the last endpoint. */
  let after = firstEndpoint;

  function isWorthwhile(held: Held): boolean {
    if (isClaimWanted) return true;
    // While slots are free, the next endpoints are claimed, too, even if slow endpoints hold most of the capacity.
    if (after !== firstEndpoint) return held.freeCapacity() >= maxHeld / 2 || !held.isFullyInFlight;
    return [...unfinished].some((id) => held.isLow(id)) || hasCapacityAgain(held);
  }

  function hasCapacityAgain(held: Held): boolean {
    if (leftOut.size === 0) return false;
    const stillExcluded = keysOf(held.excluded());
    return [...leftOut].some((key) => !stillExcluded.has(key));
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
      const excluded = held.excluded();
      leftOut = keysOf(excluded);
      return {
        slots: held.slots(),
        slotsPerEndpoint: held.slotsPerNewEndpoint,
        slotsOf: held.slotsByEndpoint(),
        excluded,
        after,
      };
    },
    finish(request, claim) {
      const wasVisited = (id: string) => id > request.after && (!claim.isFull || id <= claim.last);
      for (const id of unfinished) if (wasVisited(id)) unfinished.delete(id);
      for (const id of filled(request, claim)) unfinished.add(id);
      after = claim.isFull ? claim.last : firstEndpoint;
      // A claim that did not begin at the first endpoint left endpoints out, so another claim has to follow.
      if (!claim.isFull && request.after !== firstEndpoint) isClaimWanted = true;
    },
  };
}

function filled({ slotsOf, slotsPerEndpoint }: ClaimRequest, { taken }: Claim): string[] {
  const endpointIds = new Set([...slotsOf.keys(), ...taken.keys()]);
  return [...endpointIds].filter((id) => (taken.get(id) ?? 0) >= (slotsOf.get(id) ?? slotsPerEndpoint));
}

const keysOf = (excluded: readonly Exclusion[]) =>
  new Set(excluded.map(({ merchantId = '', mode = '' }) => `${merchantId}/${mode}`));
