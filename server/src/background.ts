import { type Context, ofItsOwn } from './context.ts';
import { type Bell, createLocalBell, createRemoteBell, listenForBell } from './delivery/bell.ts';
import { createDispatcher, type Dispatcher } from './delivery/dispatcher.ts';
import { makeDays } from './delivery/make-days.job.ts';
import { purgeDeliveries } from './delivery/purge-deliveries.job.ts';
import { senderOf } from './delivery/sender.ts';
import { purgeIdempotencyKeys } from './http/purge-idempotency-keys.job.ts';
import { type Coalesced, coalesce } from './kit/coalesce.ts';
import { expireCheckouts } from './payments/expire-checkouts.job.ts';
import { purgeProcessorEvents } from './payments/purge-processor-events.job.ts';
import { settleUndecided } from './payments/settle-undecided.job.ts';
import type { PayoutProcessors } from './processors/port.ts';
import { settleTransfers } from './transfers/settle-transfers.job.ts';
import { creditMissingPayments } from './wallets/credit-missing-payments.job.ts';
import { settleRotations } from './webhooks/settle-rotations.job.ts';
import { type ScheduledJob, startSchedule } from './worker.ts';

/** What goes on without a request: deliveries, and the recurring work of the schedule. */
export interface Background {
  bell: Bell;
  /** Has due transfers seen to at once, where this process does that. */
  ringPayouts(): void;
  /** Whether the schedule's store can be reached; true where this process keeps no schedule. */
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts what `ROLE` gives this process. An API alone only rings for the workers. */
export function startBackground(context: Context, databaseUrl: string, payoutProcessors: PayoutProcessors): Background {
  if (context.config.role === 'api') return startBell(context, databaseUrl);
  return startWorker(context, databaseUrl, payoutProcessors);
}

function startBell({ config, log }: Context, databaseUrl: string): Background {
  const bell = createRemoteBell({ databaseUrl, log });
  return {
    bell,
    // The workers' schedule looks every second.
    ringPayouts() {},
    isScheduleReady: async () => true,
    async stop() {
      await bell.stop();
      await senderOf(config).close();
    },
  };
}

function startWorker(context: Context, databaseUrl: string, payoutProcessors: PayoutProcessors): Background {
  const { config, log } = context;
  const dispatcher = createDispatcher(context);
  const listener = listenForBell(dispatcher, { databaseUrl: config.databaseDirectUrl ?? databaseUrl, log });
  const payouts = coalesce(
    () => settleTransfers(context, payoutProcessors),
    (error) => log.error({ err: error }, 'transfers cannot be settled'),
  );
  const jobs = recurringWork(context, { dispatcher, payouts });
  const schedule = startSchedule({ postgresUrl: databaseUrl, mongodbUrl: config.mongodbUrl, log, jobs });
  return {
    bell: createLocalBell(dispatcher),
    ringPayouts: payouts.ring,
    isScheduleReady: schedule.isReady,
    async stop() {
      await schedule.stop();
      await payouts.stop();
      await listener.stop();
      await dispatcher.stop(config.shutdownGraceMs);
    },
  };
}

/** What is rung for as well as scheduled. */
interface Rung {
  dispatcher: Dispatcher;
  payouts: Coalesced;
}

/** Every recurring job. None carries input, and each is harmless when two processes run it at once. */
function recurringWork(context: Context, { dispatcher, payouts }: Rung): ScheduledJob[] {
  return [
    // Retries that came due, leases that ended, and whatever a bell missed.
    { name: 'deliver', every: '1 second', lockLifetimeMs: 5000, run: dispatcher.ring },
    {
      name: 'expire-checkouts',
      every: '15 seconds',
      lockLifetimeMs: 60_000,
      run: () => expireCheckouts(ofItsOwn(context)),
    },
    // An hour is cheap to look through; the week is for a version without a ledger that was alone for longer.
    {
      name: 'credit-missing-payments',
      every: '1 minute',
      lockLifetimeMs: 60_000,
      run: () => creditMissingPayments(ofItsOwn(context), { hours: 1 }),
    },
    {
      name: 'credit-missing-payments-of-the-week',
      every: '6 hours',
      lockLifetimeMs: 600_000,
      run: () => creditMissingPayments(ofItsOwn(context), { hours: 7 * 24 }),
    },
    {
      name: 'purge-idempotency-keys',
      every: '10 minutes',
      lockLifetimeMs: 60_000,
      run: () => purgeIdempotencyKeys(ofItsOwn(context)),
    },
    {
      name: 'purge-processor-events',
      every: '10 minutes',
      lockLifetimeMs: 60_000,
      run: () => purgeProcessorEvents(ofItsOwn(context)),
    },
    {
      name: 'purge-deliveries',
      every: '10 minutes',
      lockLifetimeMs: 600_000,
      run: () => purgeDeliveries(ofItsOwn(context)),
    },
    { name: 'make-days', every: '1 hour', lockLifetimeMs: 60_000, run: () => makeDays(ofItsOwn(context)) },
    // Transfers to ask again about, and whatever a ring missed.
    { name: 'settle-transfers', every: '1 second', lockLifetimeMs: 5000, run: payouts.ring },
    {
      name: 'settle-rotations',
      every: '1 hour',
      lockLifetimeMs: 60_000,
      run: () => settleRotations(ofItsOwn(context)),
    },
    {
      name: 'settle-undecided',
      every: '15 seconds',
      lockLifetimeMs: 60_000,
      run: () => settleUndecided(ofItsOwn(context)),
    },
  ];
}
