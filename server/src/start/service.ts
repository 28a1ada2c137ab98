/**
 * The parts whose settings may be wrong (the contract, the database) start first, so that nothing has been changed when
 * a start fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readContract } from '@tillhook/openapi';
import { addressAt } from '@tillhook/openapi/rules/service-address';
import { compileContract } from '../api/contract.ts';
import { answerToUnread } from '../api/error-handler.ts';
import type { Readiness } from '../api/probes.ts';
import type { Config } from '../config/config.ts';
import { type Context, withFreshEntityManager } from '../context.ts';
import { createProcessLog } from '../kit/process-log.ts';
import { countPaymentsForReview } from '../money/payments/reviews.service.ts';
import { createRateLimits } from '../operation/rate-limits.ts';
import { listDashboardUsers } from '../people/sessions/dashboard-users.service.ts';
import type { DatabaseAccess } from '../platform/database/connection/connections.ts';
import { oldestDueMailSeconds } from '../platform/mail/mails.service.ts';
import { createPayoutProcessors, createProcessors } from '../processors/processors.ts';
import { createMetrics } from '../telemetry/metrics/metrics.ts';
import { createTracer } from '../telemetry/tracing/create-tracer.ts';
import { oldestDueSeconds } from '../webhooks/log/deliveries.service.ts';
import { createSender } from '../wire/sender.ts';
import { createApp, createMetricsApp, createProbeApp } from './app.ts';
import { type Background, startBackground } from './background.ts';
import { build, dashboard, docs, isBuilt } from './build.ts';
import { createCoreContext } from './create-context.ts';
import type { Listening } from './listening.ts';
import { openDatabase } from './open-database.ts';
import { operations } from './operations.ts';
import { type DemoCredentials, seedDemo } from './seed.ts';

export interface Service {
  url: string;
  metricsUrl: string | null;
  demo: DemoCredentials | null;
  isDemo: boolean;
  /** Called only when the server already answers, so that no start waits for this query. */
  emails(): Promise<string[]>;
  databaseUrl: string;
  /** The context for commands and tests, which call services without HTTP. */
  context: Context;
  readiness: Readiness;
}

const noTrustProxy =
  'PUBLIC_URL is set and TRUST_PROXY is not: behind a proxy, limits by address count all callers together as one';

/** Choice: the start prints three emails at most: a service that a developer only tries out has no more users. */
const maxEmails = 3;

/** The time limit of each check, because a load balancer that calls `/readyz` waits only a few seconds. */
const readinessMs = 5000;

interface StartOptions {
  server: Listening;
  metricsServer: Listening | null;
  databaseUrl: string | Promise<string>;
  started: AsyncDisposableStack;
  onStep: ((text: string) => void) | undefined;
}

export async function startService(config: Config, options: StartOptions): Promise<Service> {
  const { server, metricsServer, started, onStep } = options;
  const contract = readContract();
  compileContract(contract, operations);

  const publicUrl = config.publicUrl ?? addressAt(config.host, server.port);
  const log = await createProcessLog(config);
  const metrics = createMetrics();
  const tracer = await createTracer(config, log);
  // The last spans end with the last requests and deliveries, so the tracer stops after them.
  started.defer(() => tracer.stop());
  const {
    orm,
    access: database,
    directAccess: directDatabase,
  } = await openDatabase({ config, databaseUrl: await options.databaseUrl, log, metrics, started, onStep });
  if (config.publicUrl && config.ratePolicies && !config.trustProxy) log.warn(noTrustProxy);
  if (config.role !== 'worker') await buildMissingPages(log, onStep);
  const limits = createRateLimits({
    policies: config.ratePolicies,
    timeoutMs: config.rateLimitTimeoutMs,
    database,
    log,
    metrics,
  });
  started.defer(() => limits.stop());
  const sender = createSender(config);
  started.defer(() => sender.close());
  const processors = await createProcessors(config, log);
  const core = createCoreContext({ config, orm, log, metrics, tracer, publicUrl, processors, sender });
  const background = await startBackground(core, { database, directDatabase }, createPayoutProcessors(config));
  const { context } = background;
  // These parts stop first, together and within one grace time, while the parts that they need still run.
  // See docs/decisions/process.md, "The end is bounded everywhere".
  started.defer(async () => {
    core.eventWaits.stop();
    const closing = server.close(config.shutdownGraceMs);
    // With `ROLE=api` the background is only the bell, which requests may need until the last request has ended.
    if (config.role === 'api') await closing;
    await Promise.all([closing, background.stop()]);
  });

  const demo = config.seedDemo ? await seedDemo(context, directDatabase) : null;
  const readiness = () => askReadiness(orm, database, background);
  const dependencies = { context, contract, readiness };
  registerFigures(context, readiness);
  metricsServer?.serve(createMetricsApp(dependencies), answerToUnread(context));
  server.serve(
    config.role === 'worker' ? createProbeApp(dependencies) : createApp({ ...dependencies, limits }),
    answerToUnread(context),
  );

  const metricsUrl = metricsServer && `${addressAt(config.host, metricsServer.port)}/metrics`;
  return {
    url: context.publicUrl,
    metricsUrl,
    demo,
    isDemo: config.seedDemo,
    emails: () => firstEmails(context),
    databaseUrl: database.url,
    context,
    readiness,
  };
}

async function firstEmails(context: Context): Promise<string[]> {
  const users = await listDashboardUsers(withFreshEntityManager(context)).catch(() => []);
  return users.slice(0, maxEmails).map(({ email }) => email);
}

async function buildMissingPages(log: Context['log'], onStep = (text: string) => log.info(text)): Promise<void> {
  const missing = [dashboard, docs].filter((pages) => !isBuilt(pages));
  if (missing.length === 0) return;
  onStep('The dashboard and the docs are being built, which happens once and takes some seconds');
  const complain = (error: unknown) => log.error({ err: error }, 'Failed to build the dashboard or the docs');
  await Promise.all(missing.map((pages) => build(pages).catch(complain)));
}

async function askReadiness(
  orm: MikroORM,
  access: DatabaseAccess,
  background: Background,
): Promise<Record<string, boolean>> {
  const isUsable = async () => (await orm.isConnected()) && (await access.canWrite());
  const checks = [inTime(isUsable()), background.isScheduleReady()] as const;
  const [database, schedule] = await Promise.all(checks);
  return { database, schedule };
}

/** A check that times out counts as failed. */
const inTime = (check: Promise<boolean>) => Promise.race([check, sleep(readinessMs, false, { ref: false })]);

/** Registers the metrics that are not counted but queried when `/metrics` is read. */
function registerFigures(context: Context, readiness: () => Promise<Record<string, boolean>>): void {
  const { reachable, oldestDue, oldestDueMail, underReview } = context.metrics;
  reachable.ask(async () => {
    const checks = Object.entries(await readiness());
    return Object.fromEntries(checks.map(([name, isReachable]) => [name, Number(isReachable)]));
  });
  oldestDue.ask(() => oldestDueSeconds(context));
  oldestDueMail.ask(() => oldestDueMailSeconds(context));
  underReview.ask(() => countPaymentsForReview(withFreshEntityManager(context)));
}
