/**
 * The dispatcher sends deliveries that are due. A wake-up makes it claim due deliveries, send them when places are
 * free, and record the results. It promises at-least-once delivery: a claim is a lease, and a delivery whose result is
 * not recorded before its lease ends is claimed and sent again. Any number of processes may run a dispatcher at the
 * same time.
 *
 * The states of a delivery in this process, and what moves it:
 *
 *     due               its row in `owed_delivery` may be claimed
 *      |
 *      |  claim()       writes a lease into the row
 *      v
 *     claimed           waits in its endpoint's lane, in the backlog -----+
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
 * `claim-plan.ts` decides when to claim and how much. `lanes.ts` puts together `caps.ts`, `shares.ts` and `turns.ts`,
 * which decide how many deliveries an endpoint and a merchant may have in flight, and whose turn it is.
 * `retry-policy.ts` decides on retries, and `sender.ts` speaks to the receiver.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { inOwnStatement } from '../../database/statement.ts';
import { atMost } from '../../kit/at-most.ts';
import { createAlarm } from '../queue/alarm.ts';
import type { Ringable } from '../queue/bell.ts';
import { type Claim, type ClaimRequest, claim, handBack, nextDueMs } from '../queue/claim.ts';
import { type CrashSuspects, createCrashSuspects, isCrashSuspect } from '../queue/crash-suspects.ts';
import type { Result } from '../queue/record.ts';
import type { Claimed } from '../wire/claimed.ts';
import { createBacklog } from './backlog.ts';
import { type AttemptPace, paceOf } from './caps.ts';
import { createClaimPlan } from './claim-plan.ts';
import { makeAttempt } from './make-attempt.ts';
import { countClaim, withSizeMetric } from './meter.ts';
import { createRecordQueue } from './record-queue.ts';

export interface Dispatcher {
  /**
   * Wakes the dispatcher: it looks for due deliveries now. Returns at once. A wake-up that finds nothing due does no
   * harm.
   */
  ring(): void;
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
/** A delivery that waits for an endpoint that hangs gets no turn here. This check finds it before its lease ends. */
const staleCheckMs = 1000;
/** The time for which deliveries of a gone endpoint are not claimed, so that its removal is recorded first. */
const gonePauseMs = 1000;
/** How long a database that does not answer may delay the stop. */
const handBackMs = 1000;

export function createDispatcher(context: CoreContext, otherWorkers: Ringable): Dispatcher {
  const plan = createClaimPlan(context.config.delivery.concurrency);
  const backlog = withSizeMetric(context, createBacklog(context.config.delivery));
  const alarm = createAlarm(() => void wakeOnTimer());
  const staleCheck = createAlarm(() => {
    backlog.findStale(performance.now());
    sendAndClaim();
  });
  const suspects = createCrashSuspects(context);
  const results = createRecordQueue(context, { onRetry: alarm.within, onCapacity: sendAndClaimSoon });
  let claiming: Promise<void> | undefined;
  let isSendingSoon = false;
  let isStopping = false;

  function ring(): void {
    plan.noteWakeUp();
    sendAndClaim();
  }

  /** Sends what may be sent now, hands back what waited too long, and claims more when that is worth a statement. */
  function sendAndClaim(): void {
    if (isStopping) return;
    for (let next = takeNext(); next; next = takeNext()) void attempt(next);
    void requeue(backlog.takeStale(), 0);
    const request = claiming ? undefined : plan.begin(backlog);
    if (request) claiming = claimDue(request);
    if (backlog.size > 0) staleCheck.within(staleCheckMs);
  }

  const takeNext = () => (results.hasCapacity ? backlog.next(performance.now()) : undefined);

  /**
   * Runs once for all attempts that ended in one turn of the event loop, so that the next ones are sent at the same
   * time.
   */
  function sendAndClaimSoon(): void {
    if (isSendingSoon) return;
    isSendingSoon = true;
    setImmediate(() => {
      isSendingSoon = false;
      sendAndClaim();
    });
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
      if (isStopping) return await tryHandBack(context, found.deliveries, 0);
      backlog.add(found.deliveries, { askedAtMs, nowMs: performance.now() });
      claiming = undefined;
      sendAndClaim();
    } catch (error) {
      context.log.error({ err: error }, 'Due deliveries cannot be claimed');
      claiming = undefined;
      alarm.within(outagePauseMs);
    }
  }

  async function attempt(delivery: Claimed): Promise<void> {
    const result = await resultOf(context, suspects, delivery);
    // Without a result no attempt was made: the delivery is handed back and does not lose one.
    if (result) results.add(result);
    else await tryHandBack(context, [delivery], context.config.delivery.leaseMs);
    backlog.end(delivery, paceOfResult(result));
    if (result && isGone(result)) void requeue(backlog.takeWaiting(delivery.endpointId), gonePauseMs);
    sendAndClaimSoon();
  }

  /** Hands deliveries back while this process goes on, and wakes it when they are due again. */
  async function requeue(deliveries: Claimed[], delayMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await tryHandBack(context, deliveries, delayMs);
    alarm.within(delayMs);
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

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    alarm.cancel();
    staleCheck.cancel();
    const graceEnd = sleep(graceMs, undefined, { ref: false });
    await handOver(context, otherWorkers, backlog.takeWaiting());
    await Promise.race([graceEnd, Promise.all([claiming, backlog.whenNoneInFlight()])]);
    const isCutOff = await handOver(context, otherWorkers, backlog.inFlight());
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    if (isCutOff) await context.sender.destroy();
  }

  alarm.within(0);
  return { ring, stop };
}

async function claimAndCount(context: CoreContext, request: ClaimRequest, askedAtMs: number): Promise<Claim> {
  const found = await inOwnStatement(context, (statement) => claim(statement, request));
  countClaim(context, found, askedAtMs);
  return found;
}

/** Undefined when no attempt could be made. */
async function resultOf(context: CoreContext, suspects: CrashSuspects, delivery: Claimed): Promise<Result | undefined> {
  try {
    if (!isCrashSuspect(delivery)) return await makeAttempt(context, delivery);
    const tried = await suspects.runInTurn(delivery, () => makeAttempt(context, delivery));
    return tried === 'crashed' ? { delivery, crashed: true } : tried;
  } catch (error) {
    context.log.error({ err: error, deliveryId: delivery.id }, 'A delivery cannot be attempted');
    return undefined;
  }
}

const paceOfResult = (result: Result | undefined): AttemptPace =>
  result && 'outcome' in result ? paceOf(result.outcome) : 'other';

const isGone = (result: Result) => 'next' in result && result.next.step === 'disable';

async function tryHandBack(context: CoreContext, deliveries: Claimed[], delayMs: number): Promise<void> {
  if (deliveries.length === 0) return;
  try {
    await inOwnStatement(context, (statement) => handBack(statement, deliveries, delayMs));
  } catch (error) {
    context.log.error({ err: error, deliveries: deliveries.length }, 'Deliveries stay claimed until their leases end');
  }
}

/** Hands deliveries back and wakes another worker, which may claim them at once. True if there were any. */
async function handOver(context: CoreContext, otherWorkers: Ringable, deliveries: Claimed[]): Promise<boolean> {
  if (deliveries.length === 0) return false;
  await atMost(handBackMs, tryHandBack(context, deliveries, 0));
  otherWorkers.ring();
  return true;
}
