import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { type Context, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { countPaymentHours } from '@tillhook/server/src/money/payments/count-payment-hours.job.ts';
import { creditMissingPayments } from '@tillhook/server/src/money/payments/credit-missing-payments.job.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import { purgeProcessorEvents } from '@tillhook/server/src/money/processor-events/purge-processor-events.job.ts';
import { reportDisputeDeadlines } from '@tillhook/server/src/money/processor-events/report-dispute-deadlines.job.ts';
import { reportOutages } from '@tillhook/server/src/money/processor-outages.ts';
import { checkLedgerAndReport } from '@tillhook/server/src/money/wallets/check/check-ledger.job.ts';
import { purgeIdempotencyKeys } from '@tillhook/server/src/operation/purge-idempotency-keys.job.ts';
import { purgePasswordResets } from '@tillhook/server/src/people/account/purge-password-resets.job.ts';
import { writeNotifications } from '@tillhook/server/src/people/notifications/write-notifications.job.ts';
import { longStatementsOn } from '@tillhook/server/src/platform/database/connection/long-statements.ts';
import { purgeMails } from '@tillhook/server/src/platform/mail/purge-mails.job.ts';
import { openCommandContext } from '@tillhook/server/src/start/command-context.ts';
import { reportEndpoints } from '@tillhook/server/src/webhooks/endpoints/report-endpoints.job.ts';
import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import { purgeDeliveries } from '@tillhook/server/src/webhooks/log/purge-deliveries.job.ts';
import { arrangements } from '@tillhook/test/support/server/arrange.ts';
import { spawnCommand } from '@tillhook/test/support/server/command.ts';
import type { Client } from 'pg';
import { type Memory, watchMemory } from '../support/memory.ts';
import { createTestKey } from '../support/merchant.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Call, callsOf, csvCalls, findKnown } from './calls.ts';
import { type Findings, logNestedStatements, type PlanLog } from './plans.ts';

interface History {
  database: Client;
  plans: PlanLog;
  env: Record<string, string>;
  home: string;
  running: AsyncDisposableStack;
  only: RegExp;
  merchantId: string;
  /** Called after each task, so that a later failure loses no results. */
  save(measured: readonly Measured[]): Promise<unknown>;
}

export interface Measured extends Findings {
  name: string;
  ms: number;
  grownMiB?: number;
  maxMiB?: number;
}

/**
 * Choice: the maximum is far less than all rows would take: an export of a million payments has 300 MiB of text. A new
 * process grows by some 270 MiB in the first ten seconds of an export, because Node collects garbage late.
 */
const maxMiB = 384;

export async function measureTasks(history: History): Promise<Measured[]> {
  const { running, env, database, home, merchantId } = history;
  const { context, directAccess } = await openCommandContext({ config: loadConfig(env), started: running });
  const own = () => withFreshEntityManager(context);
  const measured: Measured[] = [];
  const measure = async (name: string, work: Work) => {
    if (!history.only.test(name)) return;
    const memories: Memory[] = [];
    const failures: string[] = [];
    const found = await history.plans.during(() =>
      work((pid) => memories.push(watchMemory(pid))).catch((error) => failures.push(`fails: ${error}`)),
    );
    for (const memory of memories) memory.stop();
    const [memory] = memories;
    const faults = [...failures, ...found.faults];
    measured.push({ name, ...found, faults, ...(memory && { grownMiB: memory.grownMiB(), maxMiB }) });
    await history.save(measured);
    console.error(`${found.ms.toFixed(0).padStart(7)} ms  ${name}`);
  };
  // The jobs run first, because in a service that has run for a month they have counted hours and removed old rows.
  await measure('job count-payment-hours', () => countPaymentHours(own()));
  await measure('job close-hours', () => closeHours(own()));
  await measure('job purge-deliveries', (watch) => {
    watch(process.pid);
    return purgeDeliveries(own());
  });
  await database.query('vacuum analyze');
  await logNestedStatements(database);
  const callers = await createCallers(history, context);
  const api = await startServer({ env: { ...env, ROLE: 'api' }, home, running });
  const known = await findKnown(database, merchantId);
  for (const call of callsOf(known)) await measure(call.path, () => callApi(api, callers, call));
  for (const call of csvCalls(known))
    await measure(`CSV ${call.path}`, (watch) => {
      watch(api.pid);
      return readCsv(api, callers, call);
    });
  await api.stop();
  for (const args of [[], ['--merchant', merchantId]])
    await measure(['tillhook ledger check', ...args.slice(0, 1)].join(' '), (watch) =>
      checkByCommand(env, args, watch),
    );
  const withLongStatements = longStatementsOn(directAccess);
  const jobs = {
    'check-ledger': () => checkLedgerAndReport(own(), withLongStatements),
    'credit-missing-payments': () => creditMissingPayments(own(), { hours: 1 }),
    'credit-missing-payments-of-the-week': () => creditMissingPayments(own(), { hours: 7 * 24 }),
    'expire-checkouts': () => expireCheckouts(own()),
    'purge-idempotency-keys': () => purgeIdempotencyKeys(own()),
    'notify-people': async () => {
      for (const work of [reportEndpoints, reportOutages, reportDisputeDeadlines, writeNotifications])
        await work(own());
    },
    'purge-mails': () => purgeMails(own()),
    'purge-password-resets': () => purgePasswordResets(own()),
    'purge-processor-events': () => purgeProcessorEvents(own()),
  };
  for (const [name, run] of Object.entries(jobs))
    await measure(`job ${name}`, (watch) => {
      watch(process.pid);
      return run();
    });
  return measured;
}

type Work = (watch: (pid: number) => void) => Promise<unknown>;

type Callers = Record<Call['as'], Record<string, string>>;

async function createCallers({ database, merchantId }: History, context: Context): Promise<Callers> {
  const headersOf = async (role: 'administrator' | 'operator') => {
    const email = await arrangements.addUser(context, { merchantId, password: 'correct horse battery', role });
    const { token } = await arrangements.openSession(context, { email });
    return { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
  };
  return {
    key: { authorization: `Bearer ${await createTestKey(database, merchantId)}` },
    user: await headersOf('administrator'),
    operator: await headersOf('operator'),
  };
}

async function callApi({ url }: RunningServer, callers: Callers, { path, as }: Call): Promise<void> {
  const response = await fetch(url + path, { headers: callers[as] });
  const text = await response.text();
  if (!response.ok) throw new Error(`The server answered ${path} with ${response.status}: ${text}`);
}

async function readCsv({ url }: RunningServer, callers: Callers, { path, as }: Call): Promise<void> {
  const response = await fetch(url + path, { headers: { ...callers[as], accept: 'text/csv' } });
  if (!response.ok || !response.body) throw new Error(`The server answered ${path} with ${response.status}.`);
  for await (const _ of response.body);
}

async function checkByCommand(env: Record<string, string>, args: string[], watch: (pid: number) => void) {
  const command = spawnCommand(env, 'ledger', 'check', ...args);
  if (command.pid !== undefined) watch(command.pid);
  const { code, stdout, stderr } = await command.ended;
  if (code !== 0) throw new Error(`The ledger check ended with ${code}.\n${stdout}${stderr}`);
}
