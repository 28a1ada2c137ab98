/**
 * The dispatcher sends deliveries that are due. A wake-up makes it claim due deliveries, send them when places are
 * free, and record the results. It promises at-least-once delivery: a claim is a lease, and a delivery whose result is
 * not recorded before its lease ends is claimed and sent again. Any number of processes may run a dispatcher at the
 * same time.
 *
 * The states of a delivery in this process, and what moves it:
 *
 *     due               its row in `pending_delivery` may be claimed
 *      |
 *      |  claim()       writes a lease into the row; `publish` writes it with the row when nothing waits
 *      v
 *     claimed           waits in its endpoint's lane, in the fair queue --+
 *      |                                                                  |
 *      |  takeNext()    its turn has come, and a place is free            |
 *      v                                                                  |
 *     in flight         makeAttempt() signs it and posts it --------------+
 *      |                                                                  |
 *      |  results.add() its place is free again                           |  handBack()
 *      v                                                                  v
 *     attempted         waits in the record queue                    handed back
 *      |
 *      |  record()      writes a batch; skips a result whose lease is not in the row any more
 *      |
 *      +--> recorded    delivered or failed: the row is deleted
 *      +--> retried     the lease is removed: due again after the retry delay
 *
 * A delivery is handed back when it waited too long, when its endpoint is gone, when no attempt could be made, or when
 * this process stops. The lease is removed, and it is due again at once or after a pause. A process that dies moves
 * nothing: its leases end, and its deliveries are due again.
 *
 * `sending.ts` sends what is claimed and hands it back. `fair-queue.ts` decides whose turn it is, and `fair-shares.ts` how
 * many deliveries an endpoint and a merchant may have in flight. `attempt.ts` makes the attempt, `retry-policy.ts`
 * decides on retries, and `results.ts` records.
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
  firstEndpoint,
  nextDueMs,
  type PassedOver,
} from '../queue/claim.ts';
import type { FairQueue } from './fair-queue.ts';
import { type ClaimCapacity, heldPerFlight } from './fair-shares.ts';
import { createSending, directInto } from './sending.ts';

export interface Dispatcher {
  /**
   * Wakes the dispatcher: it looks for due deliveries now. Returns at once. A wake-up that finds nothing due does no
   * harm.
   */
  ring(): void;
  /** The same for deliveries that can be claimed by their ids, because they are first in line for their endpoints. */
  ringFor(due: readonly DueDelivery[]): void;
  /** Sends what transactions of this process have just committed. */
  readonly direct: DirectSending;
  /**
   * Stops claiming and hands back the deliveries that wait. Those in flight may end within the grace time. The rest is
   * handed back too.
   */
  stop(graceMs: number): Promise<void>;
}

const outagePauseMs = 1000;
/**
 * The dispatcher wakes at least this often by itself, because it sets no timer for the ends of leases. And a wake-up
 * may never come: the process that would ring may be dead, and the schedule's store may be away.
 * See docs/decisions/delivery.md, "Ended leases are looked for on a timer".
 */
const longestPauseMs = 5000;

export function createDispatcher(context: CoreContext, otherWorkers: Ringable): Dispatcher {
  const plan = createClaimPlan(context.config.delivery.concurrency);
  const alarm = createAlarm(() => void wakeOnTimer());
  const sending = createSending(context, { onFreePlace: sendAndClaim, onDue: alarm.within, otherWorkers });
  const { queue } = sending;
  const direct = directInto(context, sending, () => !isStopping && !plan.isMoreDue);
  const claimingByIds = new Set<Promise<void>>();
  let claiming: Promise<void> | undefined;
  let isStopping = false;

  function ring(): void {
    plan.noteWakeUp();
    sendAndClaim();
  }

  /** Claims these deliveries and no others, unless others may come before them. */
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
    const askedAtMs = performance.now();
    try {
      const ids = due.map(({ id }) => id);
      const deliveries = await inOwnStatement(context, (statement) => claimByIds(statement, ids));
      countClaim(context, { deliveries, taken: new Map() }, askedAtMs);
      if (isStopping) return await sending.handOver(deliveries);
      sending.hold(deliveries, { askedAtMs, nowMs: performance.now() });
      sendAndClaim();
    } catch (error) {
      context.log.error({ err: error }, 'Due deliveries cannot be claimed');
      alarm.within(outagePauseMs);
    }
  }

  /** Sends what may be sent now, and claims more when that is worth a statement. */
  function sendAndClaim(): void {
    if (isStopping) return;
    sending.sendNext();
    const request = claiming ? undefined : plan.begin(queue);
    if (request) claiming = claimDue(request);
  }

  async function claimDue(request: ClaimRequest): Promise<void> {
    // Taken before the claim is sent, so the lease never ends earlier than this time plus its length.
    const askedAtMs = performance.now();
    try {
      const found = await claimAndCount(context, request, askedAtMs);
      plan.finish(request, found);
      // A process that claimed nothing does not wake the others. Otherwise two idle processes would wake each other for
      // ever.
      if (plan.isMoreDue && found.deliveries.length > 0) otherWorkers.ring();
      if (isStopping) return await sending.handOver(found.deliveries);
      sending.hold(found.deliveries, { askedAtMs, nowMs: performance.now() });
      claiming = undefined;
      sendAndClaim();
    } catch (error) {
      context.log.error({ err: error }, 'Due deliveries cannot be claimed');
      claiming = undefined;
      alarm.within(outagePauseMs);
    }
  }

  /** Sets the timer again, for the next retry or for the longest pause, and claims. */
  async function wakeOnTimer(): Promise<void> {
    if (isStopping) return;
    // When this query fails, the claim below fails too. It logs the error and sets the timer.
    const dueMs = await inOwnStatement(context, nextDueMs).catch(() => outagePauseMs);
    alarm.within(Math.min(dueMs ?? longestPauseMs, longestPauseMs));
    // After the query: deliveries that became due before its answer are then found by this claim.
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

async function claimAndCount(context: CoreContext, request: ClaimRequest, askedAtMs: number): Promise<Claim> {
  const found = await inOwnStatement(context, (statement) => claim(statement, request));
  countClaim(context, found, askedAtMs);
  return found;
}

function countClaim(
  { metrics }: CoreContext,
  { deliveries, taken }: Pick<Claim, 'deliveries' | 'taken'>,
  askedAtMs: number,
): void {
  metrics.claims.observe((performance.now() - askedAtMs) / 1000);
  metrics.claimed.inc(deliveries.length);
  // A claim takes more deliveries than it returns only where it ended those of an inactive endpoint.
  let all = 0;
  for (const count of taken.values()) all += count;
  if (all > deliveries.length) metrics.deliveries.inc({ outcome: 'skipped' }, all - deliveries.length);
}

/**
 * Decides when to claim again, and how much. A claim is worth its statement
 * - after a wake-up,
 * - when an endpoint that may have more due deliveries holds only half of what it may hold here,
 * - when a merchant whose endpoints were left out may hold more again.
 *
 * Pure: it remembers what earlier claims found, and the caller passes what is held.
 */
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

type Held = ClaimCapacity & Pick<FairQueue, 'isFullyInFlight'>;

export function createClaimPlan(concurrency: number): ClaimPlan {
  const most = heldPerFlight * concurrency;
  /** Endpoints whose last claim hit its limit; more may be due. */
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

/** Endpoints whose claim hit its limit. The limit of some endpoints is zero. */
function filled({ slotsOf, slotsPerEndpoint }: ClaimRequest, { taken }: Claim): string[] {
  const asked = new Set([...slotsOf.keys(), ...taken.keys()]);
  return [...asked].filter((id) => (taken.get(id) ?? 0) >= (slotsOf.get(id) ?? slotsPerEndpoint));
}

const keysOf = (passedOver: readonly PassedOver[]) =>
  new Set(passedOver.map(({ merchantId = '', mode = '' }) => `${merchantId}/${mode}`));
