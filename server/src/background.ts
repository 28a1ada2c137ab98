import type { Context } from './context.ts';
import { type Bell, createLocalBell, createRemoteBell, listenForBell } from './delivery/bell.ts';
import { createDispatcher, type Dispatcher } from './delivery/dispatcher.ts';
import { senderOf } from './delivery/sender.ts';
import { expireCheckouts } from './payments/expire-checkouts.job.ts';
import { settleUndecided } from './payments/settle-undecided.job.ts';
import type { Processors } from './processors/port.ts';
import { type ScheduledJob, startSchedule } from './worker.ts';

/** What goes on without a request: deliveries, and the recurring work of the schedule. */
export interface Background {
  bell: Bell;
  /** Whether the schedule's store can be reached; true where this process keeps no schedule. */
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts what `ROLE` gives this process. An API alone only rings for the workers. */
export function startBackground(context: Context, databaseUrl: string, processors: Processors): Background {
  if (context.config.role === 'api') return startBell(context, databaseUrl);
  return startWorker(context, databaseUrl, processors);
}

function startBell({ config, log }: Context, databaseUrl: string): Background {
  const bell = createRemoteBell({ databaseUrl, log });
  return {
    bell,
    isScheduleReady: async () => true,
    async stop() {
      await bell.stop();
      await senderOf(config).close();
    },
  };
}

function startWorker(context: Context, databaseUrl: string, processors: Processors): Background {
  const { config, log } = context;
  const dispatcher = createDispatcher(context);
  const listener = listenForBell(dispatcher, { databaseUrl: config.databaseDirectUrl ?? databaseUrl, log });
  const jobs = recurringWork(context, dispatcher, processors);
  const schedule = startSchedule({ postgresUrl: databaseUrl, mongodbUrl: config.mongodbUrl, log, jobs });
  return {
    bell: createLocalBell(dispatcher),
    isScheduleReady: schedule.isReady,
    async stop() {
      await schedule.stop();
      await listener.stop();
      await dispatcher.stop(config.shutdownGraceMs);
    },
  };
}

/** Every recurring job. None carries input, and each is harmless when two processes run it at once. */
function recurringWork(context: Context, dispatcher: Dispatcher, processors: Processors): ScheduledJob[] {
  const ofItsOwn = () => ({ ...context, em: context.em.fork() });
  return [
    // Retries that came due, leases that ended, and whatever a bell missed.
    { name: 'deliver', every: '1 second', lockLifetimeMs: 5000, run: dispatcher.ring },
    { name: 'expire-checkouts', every: '15 seconds', lockLifetimeMs: 60_000, run: () => expireCheckouts(ofItsOwn()) },
    {
      name: 'settle-undecided',
      every: '15 seconds',
      lockLifetimeMs: 60_000,
      run: () => settleUndecided(ofItsOwn(), processors),
    },
  ];
}
