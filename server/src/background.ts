import type { Context } from './context.ts';
import type { DatabaseAccess } from './database/connections.ts';
import { createDispatcher } from './delivery/dispatch/dispatcher.ts';
import { type Bell, createLocalBell, createRemoteBell, listenForBell } from './delivery/queue/bell.ts';
import { senderOf } from './delivery/wire/sender.ts';
import { atMost } from './kit/at-most.ts';
import { coalesce } from './kit/coalesce.ts';
import { newId } from './kit/ids.ts';
import { measured } from './metrics/measured-job.ts';
import type { PayoutProcessors } from './processors/port.ts';
import { recurringWork } from './recurring-work.ts';
import { openScheduleStore, startSchedule } from './schedule.ts';
import { settleTransfers } from './transfers/settle-transfers.job.ts';

/** What goes on without a request: deliveries, and the recurring work of the schedule. */
export interface Background {
  bell: Bell;
  /** Has due transfers seen to at once, where this process does that. */
  ringPayouts(): void;
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
  context: Context,
  addresses: Addresses,
  payoutProcessors: PayoutProcessors,
): Promise<Background> {
  if (context.config.role === 'api') return startBell(context, addresses);
  return startWorker(context, addresses, payoutProcessors);
}

function startBell({ config, log }: Context, { database }: Addresses): Background {
  const bell = createRemoteBell({ database, log });
  return {
    bell,
    // The workers' schedule looks every second.
    ringPayouts() {},
    isScheduleReady: async () => true,
    async stop() {
      await atMost(closeMs, bell.stop());
      await senderOf(config).close();
    },
  };
}

/** For workers that are idle while this one has more than it can hold. Those that are busy gain nothing by it. */
const othersPace = { everyMs: 250, restMs: 0 };

async function startWorker(
  context: Context,
  { database, directDatabase }: Addresses,
  payoutProcessors: PayoutProcessors,
): Promise<Background> {
  const { config, log, metrics } = context;
  // First, because it throws when its address cannot be one, and nothing may be left running then.
  const store = await openScheduleStore({ postgres: database, mongodbUrl: config.mongodbUrl, log });
  const name = newId();
  const others = createRemoteBell({ database, log, name }, othersPace);
  const dispatcher = createDispatcher(context, others);
  const listener = listenForBell(dispatcher, { database: directDatabase, log, name });
  const payouts = coalesce(
    () => settleTransfers(context, payoutProcessors),
    (error) => {
      // The job that rings has ended by then, and ended well.
      metrics.jobFailures.add('settle-transfers');
      log.error({ err: error }, 'transfers cannot be settled');
    },
  );
  const jobs = recurringWork(context, { dispatcher, payouts }).map((job) => measured(context, job));
  const schedule = startSchedule({ store, log, jobs });
  return {
    bell: createLocalBell(dispatcher),
    ringPayouts: payouts.ring,
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
