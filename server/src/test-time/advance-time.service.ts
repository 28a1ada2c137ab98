// See docs/decisions/process.md, "Deadlines move, clocks do not".
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context, EventOwner, WithPrincipal, WriteContext } from '../context.ts';
import { bringLinkEndsNearer } from '../money/payment-links/deadlines.service.ts';
import { bringCheckoutsNearer } from '../money/payments/deadlines.service.ts';
import { expireCheckoutsNow } from '../money/payments/expire-checkouts.job.ts';
import { requireTestMode } from '../people/auth.service.ts';
import { bringKeyEndsNearer } from '../people/keys/deadlines.service.ts';
import { changeInBatches, rowsOf, rowsOutsideTransaction, run } from '../platform/database/statement.ts';
import { bringRotationsNearer } from '../webhooks/endpoints/deadlines.service.ts';
import { bringRetriesNearer, hasDueDelivery } from '../webhooks/queue/deadlines.service.ts';

export interface Moved {
  checkouts: number;
  deliveries: number;
  transfers: number;
  refunds: number;
  rotations: number;
  apiKeys: number;
  paymentLinks: number;
}

/** Choice: the wait is short, because a receiver that hangs must not delay the call until its attempt times out. */
const maxWaitMs = 3000;
const firstPauseMs = 10;
const maxPauseMs = 250;
/** Choice: this time is enough to end a few thousand checkouts. The schedule ends the rest. */
const endingMs = 5000;
const maxChecksRead = 1000;

const transferChecks = statusChecksOf('transfer');
const refundChecks = statusChecksOf('refund');

// See docs/decisions/process.md, "A call that advances time does the work around it".
export async function waitForDueWork(context: Context & WithPrincipal): Promise<void> {
  const { principal, payouts, refunds, bell } = context;
  requireTestMode(principal);
  bell.ring();
  payouts.ring();
  refunds.ring();
  const endMs = performance.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs; await hasDueWork(context, principal); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (performance.now() + pauseMs > endMs) return;
    await sleep(pauseMs);
  }
}

async function hasDueWork(context: Context, owner: EventOwner): Promise<boolean> {
  const checks = [
    hasDueDelivery(context, owner),
    transferChecks.hasDue(context, owner),
    refundChecks.hasDue(context, owner),
  ];
  return (await Promise.all(checks)).includes(true);
}

/**
 * Calls of one merchant wait for each other, so that two calls never lock the same rows in different orders. Tables are
 * updated in the order in which other transactions lock rows: a payment before its refunds, a delivery before its
 * endpoint.
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
    paymentLinks: await bringLinkEndsNearer(context, owner, seconds),
  };
  context.afterCommit(bell.ring);
  context.afterCommit(payouts.ring);
  context.afterCommit(refunds.ring);
  return moved;
}

/** Does not wait for the schedule, which looks for expired checkouts only every fifteen seconds. */
export async function endDueWork(context: Context & WithPrincipal): Promise<void> {
  const { principal, log } = context;
  await expireCheckoutsNow(context, principal, performance.now() + endingMs).catch((error) =>
    log.error({ err: error }, 'Failed to end expired checkouts after time was advanced'),
  );
}

interface StatusChecks {
  bringNearer(context: WriteContext, owner: EventOwner, seconds: number): Promise<number>;
  hasDue(context: Context, owner: EventOwner): Promise<boolean>;
}

/** A status check that comes too early does no harm: the same verdict twice changes nothing. */
function statusChecksOf(name: 'transfer' | 'refund'): StatusChecks {
  const table = sql.table(name);
  return {
    async bringNearer(context, { merchantId, mode }, seconds) {
      const waiting = await rowsOf<{ id: string }>(context)`
        select id from ${table} where merchant_id = ${merchantId} and mode = ${mode} and next_check_at > now() order by id`;
      return changeInBatches(
        waiting,
        (ids) => run(context)`
          update ${table} set next_check_at = greatest(next_check_at - make_interval(secs => ${seconds}::int), now())
          where id = any(${ids}) and next_check_at > now()`,
      );
    },
    async hasDue(context, { merchantId, mode }) {
      // Reads the status checks of the next minute, because a lease lasts one minute.
      const rows = await rowsOutsideTransaction(context)`
        with soon as materialized (
          select merchant_id, mode, status, next_check_at from ${table}
          where next_check_at <= now() + interval '1 minute' order by next_check_at limit ${maxChecksRead}
        )
        select from soon where merchant_id = ${merchantId} and mode = ${mode}
          and (next_check_at <= now() or status = 'pending') limit 1`;
      return rows.length > 0;
    },
  };
}
