import type { Context, CoreContext } from '../context.ts';
import { coalesce, together } from '../kit/coalesce.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import { atMost } from '../kit/time-limits.ts';
import { askAboutRefunds } from '../money/refunds/ask-about-refunds.job.ts';
import { askAboutTransfers } from '../money/transfers/ask-about-transfers.job.ts';
import type { DatabaseAccess } from '../platform/database/connection/connections.ts';
import { longStatementsOn } from '../platform/database/connection/long-statements.ts';
import { mailSenders, sendMails } from '../platform/mail/send-mails.job.ts';
import { createMailSender } from '../platform/mail/smtp.ts';
import { startSchedule } from '../platform/schedule/schedule.ts';
import { openScheduleStore } from '../platform/schedule/schedule-store.ts';
import type { PayoutProcessors } from '../processors/port.ts';
import { measured } from '../telemetry/metrics/measured-job.ts';
import { createDispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { createDirectLane, noDirectSending } from '../webhooks/dispatch/sending.ts';
import { createRemoteBell, listenForBell } from '../webhooks/queue/bell.ts';
import { mailRenderers } from './mail-kinds.ts';
import { type JobName, recurringWork } from './recurring-work.ts';

export interface Background {
  /** With `ROLE=api`, `ring` of `payouts` and `refunds` does nothing. */
  context: Context;
  isScheduleReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** `database` connects through the pooler, if there is a pooler; `directDatabase` always connects to Postgres. */
export interface Addresses {
  database: DatabaseAccess;
  directDatabase: DatabaseAccess;
}

const closeMs = 2000;

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
  // The workers' schedule looks for due transfers and refunds every second, so no wake-up is needed.
  const payouts = { serves: (mode: Mode) => mode in processors, ring() {} };
  const refunds = { ring() {} };
  const mails = { ring() {} };
  return {
    context: { ...core, bell, direct: lane ?? noDirectSending, payouts, refunds, mails },
    isScheduleReady: async () => true,
    async stop() {
      await lane?.stop(shutdownGraceMs);
      await atMost(closeMs, bell.stop());
    },
  };
}

/** How often a worker wakes idle workers while it has more deliveries than it can hold. */
const otherWorkersRate = { everyMs: 250, catchUpMs: 0 };

async function startWorker(
  core: CoreContext,
  { database, directDatabase }: Addresses,
  processors: PayoutProcessors,
): Promise<Background> {
  const { config, log, metrics } = core;
  // Opening the store throws if `MONGODB_URL` is not valid, so the store is opened before anything else is started.
  const store = await openScheduleStore({ postgres: database, mongodbUrl: config.mongodbUrl, log });
  const name = newId();
  const otherWorkers = createRemoteBell({ database, log, name }, otherWorkersRate);
  const dispatcher = createDispatcher(core, otherWorkers);
  const listener = listenForBell(dispatcher, { database: directDatabase, log, name });
  // Without a mail server, mails that were written with one wait for it.
  const sender = config.mail && createMailSender(config.mail);
  const stopMails = new AbortController();
  // Failures are counted here, because the jobs only call `ring`, and do not wait for the work.
  const rung = (job: JobName, failure: string, work: () => Promise<void>) =>
    coalesce(work, (error) => {
      metrics.jobFailures.inc({ job_name: job });
      log.error({ err: error }, failure);
    });
  const payouts = rung('settle-transfers', 'Failed to settle transfers', () => askAboutTransfers(context, processors));
  const refunds = rung('settle-refunds', 'Failed to settle refunds', () => askAboutRefunds(context));
  const sendDue = async () => {
    if (sender) await sendMails(context, { sender, renderers: mailRenderers, stop: stopMails.signal });
  };
  const mails = together(
    Array.from({ length: sender ? mailSenders : 1 }, () => rung('send-mails', 'Failed to send mails', sendDue)),
  );
  const context: Context = {
    ...core,
    bell: dispatcher,
    direct: config.delivery.isDirect ? dispatcher.direct : noDirectSending,
    payouts: { serves: (mode) => mode in processors, ring: payouts.ring },
    refunds: { ring: refunds.ring },
    mails: { ring: mails.ring },
  };
  const withLongStatements = longStatementsOn(directDatabase);
  const work = recurringWork(context, { dispatcher, payouts, refunds, mails, withLongStatements });
  const jobs = work.map((job) => measured(context, job));
  const schedule = startSchedule({ store, log, jobs });
  return {
    context,
    isScheduleReady: schedule.isReady,
    async stop() {
      const graceMs = config.shutdownGraceMs;
      stopMails.abort();
      // All parts stop at the same time, so that the dispatcher hands deliveries back without waiting for other parts.
      const endings = [schedule.stop(), payouts.stop(), refunds.stop(), mails.stop(), listener.stop()].map((ending) =>
        atMost(graceMs, ending),
      );
      await Promise.all([...endings, dispatcher.stop(graceMs)]);
      sender?.close();
      await atMost(closeMs, otherWorkers.stop());
    },
  };
}
