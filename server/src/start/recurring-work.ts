import { type Context, withFreshEntityManager } from '../context.ts';
import type { Coalesced } from '../kit/coalesce.ts';
import { askAboutPayments } from '../money/payments/ask-about-payments.job.ts';
import { countPaymentHours } from '../money/payments/count-payment-hours.job.ts';
import { creditMissingPayments } from '../money/payments/credit-missing-payments.job.ts';
import { expireCheckouts } from '../money/payments/expire-checkouts.job.ts';
import { purgeProcessorEvents } from '../money/processor-events/purge-processor-events.job.ts';
import { reportDisputeDeadlines } from '../money/processor-events/report-dispute-deadlines.job.ts';
import { reportOutages } from '../money/processor-outages.ts';
import { checkLedgerAndReport } from '../money/wallets/check/check-ledger.job.ts';
import { countEntries } from '../money/wallets/count-entries.job.ts';
import { purgeIdempotencyKeys } from '../operation/purge-idempotency-keys.job.ts';
import { purgePasswordResets } from '../people/account/purge-password-resets.job.ts';
import { writeNotifications } from '../people/notifications/write-notifications.job.ts';
import { longStatementMs } from '../platform/database/connection/connections.ts';
import type { WithLongStatements } from '../platform/database/connection/long-statements.ts';
import { purgeMails } from '../platform/mail/purge-mails.job.ts';
import type { ScheduledJob } from '../platform/schedule/scheduled-job.ts';
import { fillSearch } from '../search/fill-search.job.ts';
import type { Dispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { completeRotations } from '../webhooks/endpoints/complete-rotations.job.ts';
import { reportEndpoints } from '../webhooks/endpoints/report-endpoints.job.ts';
import { closeHours } from '../webhooks/log/close-hours.job.ts';
import { makeDays } from '../webhooks/log/make-days.job.ts';
import { purgeDeliveries } from '../webhooks/log/purge-deliveries.job.ts';

interface Means {
  /** `ring` starts due work before the schedule does. */
  dispatcher: Pick<Dispatcher, 'ring'>;
  payouts: Pick<Coalesced, 'ring'>;
  refunds: Pick<Coalesced, 'ring'>;
  mails: Pick<Coalesced, 'ring'>;
  withLongStatements: WithLongStatements;
}

/**
 * The names of jobs are stored in the schedule, and metrics and alerts use them, so a name stays when its function is
 * renamed. The first three jobs only ring, so their locks are short. The lock of any other job lasts for as long as the
 * job may take. Two processes may run the same job at the same time without harm.
 */
export function recurringWork(context: Context, { dispatcher, payouts, refunds, mails, withLongStatements }: Means) {
  const own = () => withFreshEntityManager(context);
  return [
    // Finds retries that became due, leases that ended, and deliveries whose wake-up was lost.
    { name: 'deliver', every: '1 second', lockLifetimeMs: 5000, run: dispatcher.ring },
    // Finds transfers whose status must be checked at the processor, and transfers whose wake-up was lost.
    { name: 'settle-transfers', every: '1 second', lockLifetimeMs: 5000, run: payouts.ring },
    // Finds refunds whose status must be checked at the processor, and refunds whose wake-up was lost.
    { name: 'settle-refunds', every: '1 second', lockLifetimeMs: 5000, run: refunds.ring },
    // Finds mails whose next try is due, and mails whose wake-up was lost.
    { name: 'send-mails', every: '15 seconds', lockLifetimeMs: 60_000, run: mails.ring },
    { name: 'notify-people', every: '1 minute', lockLifetimeMs: 60_000, run: () => notifyPeople(own()) },
    { name: 'expire-checkouts', every: '15 seconds', lockLifetimeMs: 60_000, run: () => expireCheckouts(own()) },
    { name: 'settle-undecided', every: '15 seconds', lockLifetimeMs: 60_000, run: () => askAboutPayments(own()) },
    // Checking the payments of the last hour takes little time. The next job checks the payments of a week, because a
    // process of an older version may have completed a payment without writing to the ledger.
    {
      name: 'credit-missing-payments',
      every: '1 minute',
      lockLifetimeMs: 60_000,
      run: () => creditMissingPayments(own(), { hours: 1 }),
    },
    {
      name: 'credit-missing-payments-of-the-week',
      every: '6 hours',
      lockLifetimeMs: 600_000,
      run: () => creditMissingPayments(own(), { hours: 7 * 24 }),
    },
    { name: 'purge-deliveries', every: '10 minutes', lockLifetimeMs: 600_000, run: () => purgeDeliveries(own()) },
    {
      name: 'purge-idempotency-keys',
      every: '10 minutes',
      lockLifetimeMs: 60_000,
      run: () => purgeIdempotencyKeys(own()),
    },
    {
      name: 'purge-processor-events',
      every: '10 minutes',
      lockLifetimeMs: 60_000,
      run: () => purgeProcessorEvents(own()),
    },
    {
      name: 'purge-password-resets',
      every: '10 minutes',
      lockLifetimeMs: 60_000,
      run: () => purgePasswordResets(own()),
    },
    { name: 'purge-mails', every: '10 minutes', lockLifetimeMs: 60_000, run: () => purgeMails(own()) },
    { name: 'close-hours', every: '5 minutes', lockLifetimeMs: 600_000, run: () => closeHours(own()) },
    {
      name: 'count-payment-hours',
      every: '5 minutes',
      lockLifetimeMs: 600_000,
      run: () => countPaymentHours(own()),
    },
    { name: 'count-entries', every: '1 minute', lockLifetimeMs: 600_000, run: () => countEntries(own()) },
    { name: 'fill-search', every: '1 minute', lockLifetimeMs: 600_000, run: () => fillSearch(own()) },
    { name: 'make-days', every: '1 hour', lockLifetimeMs: 60_000, run: () => makeDays(own()) },
    // Reading the whole ledger takes long, so the job runs only every six hours.
    {
      name: 'check-ledger',
      every: '6 hours',
      lockLifetimeMs: longStatementMs,
      run: (signal?: AbortSignal) => checkLedgerAndReport(own(), withLongStatements, signal),
    },
    { name: 'settle-rotations', every: '1 hour', lockLifetimeMs: 60_000, run: () => completeRotations(own()) },
  ] as const satisfies readonly ScheduledJob[];
}

export type JobName = ReturnType<typeof recurringWork>[number]['name'];

/** Looks for what people have to know, and then writes the mails about it. */
async function notifyPeople(context: Context): Promise<void> {
  for (const work of [reportEndpoints, reportOutages, reportDisputeDeadlines, writeNotifications])
    await work(withFreshEntityManager(context));
}
