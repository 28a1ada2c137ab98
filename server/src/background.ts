import type { Context, CoreContext } from './context.ts';
import type { DatabaseAccess } from './database/connections.ts';
import { createDispatcher } from './delivery/dispatch/dispatcher.ts';
import { createRemoteBell, listenForBell } from './delivery/queue/bell.ts';
import { atMost } from './kit/at-most.ts';
import { coalesce } from './kit/coalesce.ts';
import { newId } from './kit/ids.ts';
import type { Mode } from './kit/mode.ts';
import { measured } from './metrics/measured-job.ts';
import type { PayoutProcessors } from './processors/port.ts';
import { recurringWork } from './recurring-work.ts';
import { openScheduleStore, startSchedule } from './schedule.ts';
import { settleTransfers } from './transfers/settle-transfers.job.ts';

/** What goes on without a request: deliveries, and the recurring work of the schedule. */
export interface Background {
  /** Complete: it wakes what was started here. */
  context: Context;
  /** Whether the schedule's store answers within a few seconds; true where this process keeps no schedule. */
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** The database through its pooler, where there is one, and past it. */
export interface Addresses {
  database: DatabaseAccess;
  directDatabase: DatabaseAccess;
}

/** How long a database that does not answer may delay the stop of a bell. */
const closeMs = 2000;

/** Starts what `ROLE` gives this process. An API alone only rings for the workers. */
export async function startBackground(
  core: CoreContext,
  addresses: Addresses,
  processors: PayoutProcessors,
): Promise<Background> {
  if (core.config.role === 'api') return startBell(core, addresses, processors);
  return startWorker(core, addresses, processors);
}

function startBell(core: CoreContext, { database }: Addresses, processors: PayoutProcessors): Background {
  const bell = createRemoteBell({ database, log: core.log });
  // The workers' schedule looks for due transfers every second.
  const payouts = { serves: (mode: Mode) => mode in processors, ring() {} };
  return {
    context: { ...core, bell, payouts },
    isScheduleReady: async () => true,
    stop: () => atMost(closeMs, bell.stop()),
  };
}

/** For workers that are idle while this one has more than it can hold. Those that are busy gain nothing by it. */
const othersPace = { everyMs: 250, restMs: 0 };

async function startWorker(
  core: CoreContext,
  { database, directDatabase }: Addresses,
  processors: PayoutProcessors,
): Promise<Background> {
  const { config, log, metrics } = core;
  // First, because it throws when its address cannot be one, and nothing may be left running then.
  const store = await openScheduleStore({ postgres: database, mongodbUrl: config.mongodbUrl, log });
  const name = newId();
  const others = createRemoteBell({ database, log, name }, othersPace);
  const dispatcher = createDispatcher(core, others);
  const listener = listenForBell(dispatcher, { database: directDatabase, log, name });
  const payouts = coalesce(
    () => settleTransfers(context, processors),
    (error) => {
      // The job that rings has ended by then, and ended well.
      metrics.jobFailures.inc({ job_name: 'settle-transfers' });
      log.error({ err: error }, 'transfers cannot be settled');
    },
  );
  const context: Context = {
    ...core,
    bell: dispatcher,
    payouts: { serves: (mode) => mode in processors, ring: payouts.ring },
  };
  const jobs = recurringWork(context, { dispatcher, payouts }).map((job) => measured(context, job));
  const schedule = startSchedule({ store, log, jobs });
  return {
    context,
    isScheduleReady: schedule.isReady,
    async stop() {
      const graceMs = config.shutdownGraceMs;
      // Side by side: deliveries are handed back at once, whatever else takes its time.
      const work = [schedule.stop(), payouts.stop(), listener.stop()].map((ending) => atMost(graceMs, ending));
      await Promise.all([...work, dispatcher.stop(graceMs)]);
      await atMost(closeMs, others.stop());
    },
  };
}
