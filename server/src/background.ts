import type { Context } from './context.ts';
import { type Bell, createLocalBell, createRemoteBell, listenForBell } from './delivery/bell.ts';
import { createDispatcher } from './delivery/dispatcher.ts';
import { senderOf } from './delivery/sender.ts';
import { atMost } from './kit/at-most.ts';
import { coalesce } from './kit/coalesce.ts';
import { newId } from './kit/ids.ts';
import { measured } from './measured-job.ts';
import type { PayoutProcessors } from './processors/port.ts';
import { recurringWork } from './recurring-work.ts';
import { settleTransfers } from './transfers/settle-transfers.job.ts';
import { openScheduleStore, startSchedule } from './worker.ts';

/** What goes on without a request: deliveries, and the recurring work of the schedule. */
export interface Background {
  bell: Bell;
  /** Has due transfers seen to at once, where this process does that. */
  ringPayouts(): void;
  /** Whether the schedule's store answers within a few seconds; true where this process keeps no schedule. */
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts what `ROLE` gives this process. An API alone only rings for the workers. */
export async function startBackground(
  context: Context,
  databaseUrl: string,
  payoutProcessors: PayoutProcessors,
): Promise<Background> {
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

/** For workers that are idle while this one has more than it can hold. Those that are busy gain nothing by it. */
const othersPace = { everyMs: 250, restMs: 0 };

async function startWorker(
  context: Context,
  databaseUrl: string,
  payoutProcessors: PayoutProcessors,
): Promise<Background> {
  const { config, log, metrics } = context;
  // First, because it throws when its address cannot be one, and nothing may be left running then.
  const store = await openScheduleStore({ postgresUrl: databaseUrl, mongodbUrl: config.mongodbUrl, log });
  const name = newId();
  const others = createRemoteBell({ databaseUrl, log, name }, othersPace);
  const dispatcher = createDispatcher(context, others);
  const listener = listenForBell(dispatcher, { databaseUrl: config.databaseDirectUrl ?? databaseUrl, log, name });
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
      await others.stop();
    },
  };
}
