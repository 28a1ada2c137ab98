import type { Context, CoreContext } from '../context.ts';
import { coalesce } from '../kit/coalesce.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import { atMost } from '../kit/time-limits.ts';
import { askAboutRefunds } from '../money/refunds/ask-about-refunds.job.ts';
import { askAboutTransfers } from '../money/transfers/ask-about-transfers.job.ts';
import type { DatabaseAccess } from '../platform/database/connection/connections.ts';
import { longStatementsOn } from '../platform/database/connection/long-statements.ts';
import { startSchedule } from '../platform/schedule/schedule.ts';
import { openScheduleStore } from '../platform/schedule/schedule-store.ts';
import type { PayoutProcessors } from '../processors/port.ts';
import { measured } from '../telemetry/metrics/measured-job.ts';
import { createDispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { createDirectLane, noDirectSending } from '../webhooks/dispatch/sending.ts';
import { createRemoteBell, listenForBell } from '../webhooks/queue/bell.ts';
import { recurringWork } from './recurring-work.ts';

/** The work that needs no request: deliveries, and the recurring jobs of the schedule. */
export interface Background {
  /**
   * The core context with `bell`, `direct`, `payouts` and `refunds` added. `ring` makes workers look for due work at
   * once. With `ROLE=api`, `ring` of `payouts` and `refunds` does nothing.
   */
  context: Context;
  /** Whether the schedule's store answers within a few seconds. Always true in a process without a schedule. */
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Access to the database through its pooler, if it has a pooler (`database`), and without the pooler
 * (`directDatabase`).
 */
export interface Addresses {
  database: DatabaseAccess;
  directDatabase: DatabaseAccess;
}

/** The maximum time that the stop of a bell waits for a database that does not answer. */
const closeMs = 2000;

/**
 * Starts the work that `ROLE` assigns to this process. With `ROLE=api`, the process only sends deliveries that it has
 * just committed, and wakes the workers in other processes for all other deliveries.
 */
export async function startBackground(
  core: CoreContext,
  addresses: Addresses,
  processors: PayoutProcessors,
): Promise<Background> {
  if (core.config.role === 'api') return startBell(core, addresses, processors);
  return startWorker(core, addresses, processors);
}

function startBell(core: CoreContext, { database }: Addresses, processors: PayoutProcessors): Background {
  const { delivery, shutdownGraceMs } = core.config;
  const bell = createRemoteBell({ database, log: core.log });
  const lane = delivery.isDirect ? createDirectLane(core, bell) : undefined;
  // No wake-up is needed for transfers and refunds, because the workers' schedule looks for due transfers and refunds
  // every second.
  const payouts = { serves: (mode: Mode) => mode in processors, ring() {} };
  const refunds = { ring() {} };
  return {
    context: { ...core, bell, direct: lane ?? noDirectSending, payouts, refunds },
    isScheduleReady: async () => true,
    async stop() {
      await lane?.stop(shutdownGraceMs);
      await atMost(closeMs, bell.stop());
    },
  };
}

/**
 * How often a worker wakes idle workers while it has more deliveries than it can hold. Busy workers need no wake-up.
 */
const otherWorkersRate = { everyMs: 250, catchUpMs: 0 };

async function startWorker(
  core: CoreContext,
  { database, directDatabase }: Addresses,
  processors: PayoutProcessors,
): Promise<Background> {
  const { config, log, metrics } = core;
  // The store is opened before any other part starts, because opening throws if the store's address is not valid, and
  // then nothing may be left running.
  const store = await openScheduleStore({ postgres: database, mongodbUrl: config.mongodbUrl, log });
  const name = newId();
  const otherWorkers = createRemoteBell({ database, log, name }, otherWorkersRate);
  const dispatcher = createDispatcher(core, otherWorkers);
  const listener = listenForBell(dispatcher, { database: directDatabase, log, name });
  // Failures of payouts and refunds are counted here, because the recurring jobs with these names only call `ring`,
  // and have ended without a failure by then.
  const payouts = coalesce(
    () => askAboutTransfers(context, processors),
    (error) => {
      metrics.jobFailures.inc({ job_name: 'settle-transfers' });
      log.error({ err: error }, 'Failed to settle transfers');
    },
  );
  const refunds = coalesce(
    () => askAboutRefunds(context),
    (error) => {
      metrics.jobFailures.inc({ job_name: 'settle-refunds' });
      log.error({ err: error }, 'Failed to settle refunds');
    },
  );
  const context: Context = {
    ...core,
    bell: dispatcher,
    direct: config.delivery.isDirect ? dispatcher.direct : noDirectSending,
    payouts: { serves: (mode) => mode in processors, ring: payouts.ring },
    refunds: { ring: refunds.ring },
  };
  const withLongStatements = longStatementsOn(directDatabase);
  const work = recurringWork(context, { dispatcher, payouts, refunds, withLongStatements });
  const jobs = work.map((job) => measured(context, job));
  const schedule = startSchedule({ store, log, jobs });
  return {
    context,
    isScheduleReady: schedule.isReady,
    async stop() {
      const graceMs = config.shutdownGraceMs;
      // All parts stop at the same time, so that the dispatcher hands deliveries back without waiting for other parts.
      const endings = [schedule.stop(), payouts.stop(), refunds.stop(), listener.stop()].map((ending) =>
        atMost(graceMs, ending),
      );
      await Promise.all([...endings, dispatcher.stop(graceMs)]);
      await atMost(closeMs, otherWorkers.stop());
    },
  };
}
