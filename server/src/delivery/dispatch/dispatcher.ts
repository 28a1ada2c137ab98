/**
 * The door for paying what is owed. Whoever rings makes it look for due deliveries, claim what there is room for, send it as
 * slots become free and write down what came of each. It promises at least once: a claim is a lease, and what is not recorded
 * before the lease ends is owed again. Any number of dispatchers may run at once. Whose turn it is and how much a receiver may
 * cost us is left to `backlog.ts` and `lanes.ts`, when to claim to `claim-plan.ts`, when to try again to `retry-policy.ts`,
 * and the wire to `sender.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreContext } from '../../context.ts';
import { inOwnStatement } from '../../database/statement.ts';
import { atMost } from '../../kit/at-most.ts';
import { createAlarm } from '../queue/alarm.ts';
import type { Ringable } from '../queue/bell.ts';
import { type Claimed, type ClaimRequest, claim, handBack, nextDueMs } from '../queue/claim.ts';
import type { Result } from '../queue/record.ts';
import { createSuspects, isSuspect, type Suspects } from '../queue/suspects.ts';
import { createBacklog } from './backlog.ts';
import { type Heard, hearAttempt } from './caps.ts';
import { createClaimPlan } from './claim-plan.ts';
import { makeAttempt } from './make-attempt.ts';
import { counted, watched } from './meter.ts';
import { createRecordQueue } from './record-queue.ts';

export interface Dispatcher {
  /** Looks for due deliveries now. Harmless in vain; returns at once. */
  ring(): void;
  /** Stops claiming, hands back what waits, lets what is in flight end within the grace, and hands back the rest. */
  stop(graceMs: number): Promise<void>;
}

const outagePauseMs = 1000;
/**
 * Leases that end are not waited for one by one, and whoever should tell may be dead, or its schedule away.
 * See docs/decisions/delivery.md, "Ended leases are looked for on a timer".
 */
const longestPauseMs = 5000;
/** What waits for an endpoint that hangs is let go of in time for others to claim it, though no turn comes. */
const sweepEveryMs = 1000;
/** Long enough to record that an endpoint is gone, before what is owed to it is claimed again. */
const gonePauseMs = 1000;
/** How long a database that does not answer may hold up the end. */
const handBackMs = 1000;

export function createDispatcher(context: CoreContext, others: Ringable): Dispatcher {
  const plan = createClaimPlan(context.config.delivery.concurrency);
  const backlog = watched(context, createBacklog(context.config.delivery));
  const alarm = createAlarm(() => void lookAhead());
  const staleness = createAlarm(() => {
    backlog.sweep(performance.now());
    advance();
  });
  const suspects = createSuspects(context);
  const results = createRecordQueue(context, { onRetry: alarm.within, onRoom: advanceSoon });
  let claiming: Promise<void> | undefined;
  let isAdvancing = false;
  let isStopping = false;

  function ring(): void {
    plan.expectMore();
    advance();
  }

  function advance(): void {
    if (isStopping) return;
    for (let next = takeNext(); next; next = takeNext()) void attempt(next);
    void letGo(backlog.takeStale(), 0);
    const request = claiming ? undefined : plan.begin(backlog);
    if (request) claiming = claimAhead(request);
    if (backlog.size > 0) staleness.within(sweepEveryMs);
  }

  const takeNext = () => (results.hasRoom ? backlog.next(performance.now()) : undefined);

  /** Once for all that ended in one turn of the event loop, so that what follows is sent side by side. */
  function advanceSoon(): void {
    if (isAdvancing) return;
    isAdvancing = true;
    setImmediate(() => {
      isAdvancing = false;
      advance();
    });
  }

  async function claimAhead(request: ClaimRequest): Promise<void> {
    // The lease begins later than this, by any clock.
    const askedAtMs = performance.now();
    try {
      const claimed = await inOwnStatement(context, (statement) => claim(statement, request));
      plan.finish(request, counted(context, claimed, askedAtMs));
      // A process that found nothing does not wake the others, or two of them would wake each other for ever.
      if (plan.knowsMore && claimed.owed.length > 0) others.ring();
      if (isStopping) return await giveBack(context, claimed.owed, 0);
      backlog.add(claimed.owed, { askedAtMs, nowMs: performance.now() });
      claiming = undefined;
      advance();
    } catch (error) {
      context.log.error({ err: error }, 'due deliveries cannot be claimed');
      claiming = undefined;
      alarm.within(outagePauseMs);
    }
  }

  async function attempt(delivery: Claimed): Promise<void> {
    const result = await resultOf(context, suspects, delivery);
    // What is not the receiver's fault costs the delivery nothing.
    if (result) results.add(result);
    else await giveBack(context, [delivery], context.config.delivery.leaseMs);
    backlog.end(delivery, heardFrom(result));
    if (result && isGone(result)) void letGo(backlog.takeWaiting(delivery.endpointId), gonePauseMs);
    advanceSoon();
  }

  async function letGo(deliveries: Claimed[], delayMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await giveBack(context, deliveries, delayMs);
    alarm.within(delayMs);
  }

  /** Wakes again when the next retry comes due, or soon after a lease ends. */
  async function lookAhead(): Promise<void> {
    if (isStopping) return;
    // Without an answer the claim that follows fails as well, says why, and sets the alarm.
    const dueMs = await inOwnStatement(context, nextDueMs).catch(() => outagePauseMs);
    alarm.within(Math.min(dueMs ?? longestPauseMs, longestPauseMs));
    // Only now: what came due before that answer is seen by a claim that is made after it.
    ring();
  }

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    alarm.cancel();
    staleness.cancel();
    const graceEnd = sleep(graceMs, undefined, { ref: false });
    await handOver(context, others, backlog.takeWaiting());
    await Promise.race([graceEnd, Promise.all([claiming, backlog.landed()])]);
    const isCutOff = await handOver(context, others, backlog.inFlight());
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    if (isCutOff) await context.sender.destroy();
  }

  alarm.within(0);
  return { ring, stop };
}

async function resultOf(context: CoreContext, suspects: Suspects, delivery: Claimed): Promise<Result | undefined> {
  try {
    if (!isSuspect(delivery)) return await makeAttempt(context, delivery);
    const tried = await suspects.inTurn(delivery, () => makeAttempt(context, delivery));
    return tried === 'crashed' ? { delivery, crashed: true } : tried;
  } catch (error) {
    context.log.error({ err: error, deliveryId: delivery.id }, 'a delivery cannot be attempted');
    return undefined;
  }
}

const heardFrom = (result: Result | undefined): Heard =>
  result && 'outcome' in result ? hearAttempt(result.outcome) : 'other';

const isGone = (result: Result) => 'next' in result && result.next.step === 'disable';

async function giveBack(context: CoreContext, deliveries: Claimed[], delayMs: number): Promise<void> {
  if (deliveries.length === 0) return;
  try {
    await inOwnStatement(context, (statement) => handBack(statement, deliveries, delayMs));
  } catch (error) {
    context.log.error({ err: error, deliveries: deliveries.length }, 'deliveries stay claimed until their leases end');
  }
}

/** To whoever is not stopping. Says whether there was anything. */
async function handOver(context: CoreContext, others: Ringable, deliveries: Claimed[]): Promise<boolean> {
  if (deliveries.length === 0) return false;
  await atMost(handBackMs, giveBack(context, deliveries, 0));
  others.ring();
  return true;
}
