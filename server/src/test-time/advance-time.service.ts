/**
 * Lets time pass for one merchant's test mode. It moves no clock: the deadlines of all tables come nearer in one
 * transaction, and the work that has become due begins at once.
 * See docs/decisions/process.md, "Deadlines move, clocks do not".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, EventOwner, WithPrincipal, WriteContext } from '../context.ts';
import { bringCheckoutsNearer } from '../money/payments/deadlines.service.ts';
import { endDueCheckouts } from '../money/payments/end-due-checkouts.ts';
import { requireTestMode } from '../people/auth.service.ts';
import { bringKeyEndsNearer } from '../people/keys/deadlines.service.ts';
import { run } from '../platform/database/statement.ts';
import { statusChecksOf } from '../platform/database/status-checks.ts';
import { bringRotationsNearer } from '../webhooks/endpoints/deadlines.service.ts';
import { bringRetriesNearer, hasDueDelivery } from '../webhooks/queue/deadlines.service.ts';

/** How many deadlines came nearer, by what they belong to. */
export interface Moved {
  checkouts: number;
  deliveries: number;
  transfers: number;
  refunds: number;
  rotations: number;
  apiKeys: number;
}

/** Choice: three seconds, because a receiver that hangs must not hold the call for as long as an attempt may take. */
const longestWaitMs = 3000;
/** Choice: most work is done within some ten milliseconds. Work that takes longer is asked about four times a second. */
const firstPauseMs = 10;
const longestPauseMs = 250;
/** Choice: a few thousand checkouts end in this time, and a caller still waits for it. The schedule ends the rest. */
const endingMs = 5000;

const transferChecks = statusChecksOf('transfer');
const refundChecks = statusChecksOf('refund');

/**
 * Waits until the work that is due already is done, because the next deadline of that work is not known before: a
 * delivery that is being sent has no retry yet, and a transfer that was ordered just now has no status check.
 * See docs/decisions/process.md, "A call that advances time does the work around it".
 */
export async function waitForDueWork(context: Context & WithPrincipal): Promise<void> {
  const { principal, payouts, refunds, bell } = context;
  requireTestMode(principal);
  bell.ring();
  payouts.ring();
  refunds.ring();
  const endMs = performance.now() + longestWaitMs;
  for (
    let pauseMs = firstPauseMs;
    await hasDueWork(context, principal);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  ) {
    if (performance.now() + pauseMs > endMs) return;
    await sleep(pauseMs);
  }
}

async function hasDueWork(context: Context, owner: EventOwner): Promise<boolean> {
  const asked = [
    hasDueDelivery(context, owner),
    transferChecks.hasDue(context, owner),
    refundChecks.hasDue(context, owner),
  ];
  return (await Promise.all(asked)).includes(true);
}

/**
 * Brings all deadlines nearer. Calls of one merchant wait for each other, also in different processes, so that two of
 * them never lock the same rows in different orders. The order of the tables is the order in which other transactions
 * lock rows of several: a payment before its refunds, a delivery before its endpoint.
 */
export async function advanceTime(context: WriteContext & WithPrincipal, seconds: number): Promise<Moved> {
  const { principal: owner, bell, payouts, refunds } = context;
  requireTestMode(owner);
  await run(context)`select pg_advisory_xact_lock(hashtextextended('test-time ' || ${owner.merchantId}::text, 0))`;
  const moved = {
    checkouts: await bringCheckoutsNearer(context, owner, seconds),
    refunds: await refundChecks.bringNearer(context, owner, seconds),
    transfers: await transferChecks.bringNearer(context, owner, seconds),
    deliveries: await bringRetriesNearer(context, owner, seconds),
    rotations: await bringRotationsNearer(context, owner, seconds),
    apiKeys: await bringKeyEndsNearer(context, owner, seconds),
  };
  context.afterCommit(bell.ring);
  context.afterCommit(payouts.ring);
  context.afterCommit(refunds.ring);
  return moved;
}

/**
 * Ends the checkouts that have expired, so that the caller finds them ended. It runs in the process that got the call,
 * because the schedule, which may be in another process, looks for them only every fifteen seconds. What fails here is
 * left to the schedule.
 */
export async function endDueWork(context: Context & WithPrincipal): Promise<void> {
  const { principal, log } = context;
  await endDueCheckouts(context, principal, performance.now() + endingMs).catch((error) =>
    log.error({ err: error }, 'Expired checkouts cannot be ended after time was advanced'),
  );
}
