/**
 * Puts the parts together and takes them apart again in the opposite order. What can fail for the operator's fault (the
 * contract, the port, the database) comes first, each with one clear message, before anything is changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readContract } from '@tillhook/openapi';
import { createApp, createMetricsApp, createProbeApp } from './app.ts';
import { askForFigures } from './asked-figures.ts';
import { type Background, startBackground } from './background.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createCoreContext } from './create-context.ts';
import { buildDashboard } from './dashboard/build.ts';
import { isBuilt } from './dashboard/built-files.ts';
import { oneAtATime } from './database/migrate.ts';
import { createSender } from './delivery/wire/sender.ts';
import { compileContract } from './http/contract.ts';
import type { Readiness } from './http/probes.ts';
import { createLogger } from './kit/logger.ts';
import { type Listening, listenOn } from './listening.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openDatabase } from './open-database.ts';
import { createRateLimits } from './operation/rate-limits.ts';
import { operations } from './operations.ts';
import { createPayoutProcessors, createProcessors } from './processors/processors.ts';
import { type DemoCredentials, seedDemo } from './seed.ts';

export { type Config, ConfigError, loadConfig } from './config.ts';

export interface Tillhook {
  /** Where it is reached, without `/api/v1`. */
  url: string;
  /** Where `/metrics` is, when it has a port of its own. */
  metricsUrl: string | null;
  /** What opens the demo merchant's doors, when this start made it. */
  demo: DemoCredentials | null;
  isDemo: boolean;
  databaseUrl: string;
  /** For commands and tests that call services without HTTP. */
  context: Context;
  /** What `/readyz` answers with, each by name: true when it can be used now. */
  readiness: Readiness;
  stop(): Promise<void>;
}

const withoutTrust =
  'PUBLIC_URL is set and TRUST_PROXY is not: if a proxy stands before us, limits by address take all callers for one';

/** A load balancer that asks waits only some seconds. */
const readinessMs = 5000;

/** Starts everything that `ROLE` names and resolves when it serves. Throws when it cannot, with nothing left running. */
export async function startTillhook(config: Config): Promise<Tillhook> {
  await using started = new AsyncDisposableStack();
  const contract = readContract();
  compileContract(contract, operations);

  const server = await listenOn({ ...config, setting: 'PORT' });
  started.defer(() => server.close(0));
  const metricsServer = await listenForMetrics(config);
  started.defer(() => metricsServer?.close(0));

  const publicUrl = config.publicUrl ?? `http://localhost:${server.port}`;
  const log = createLogger(config.logLevel);
  const metrics = createMetrics();
  const { orm, access: database, directAccess: directDatabase } = await openDatabase({ config, log, metrics, started });
  if (config.publicUrl && config.ratePolicies && !config.trustProxy) log.warn(withoutTrust);
  if (config.role !== 'worker') await buildDashboardOnce(log);
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
  const core = createCoreContext({ config, orm, log, metrics, publicUrl, processors, sender });
  const background = await startBackground(core, { database, directDatabase }, createPayoutProcessors(config));
  const { context } = background;
  // Undone first, together and within one grace, while everything that both need is still there.
  // See docs/decisions/process.md, "The end is bounded everywhere".
  started.defer(async () => {
    const closing = server.close(config.shutdownGraceMs);
    // An API alone has no work of its own, and rings until its last request is answered.
    if (config.role === 'api') await closing;
    await Promise.all([closing, background.stop()]);
  });

  const demo = config.seedDemo ? await oneAtATime(directDatabase, () => seedDemo(context)) : null;
  const readiness = () => askReadiness(orm, background);
  const parts = { context, contract, readiness };
  askForFigures(context, readiness);
  metricsServer?.serve(createMetricsApp(parts));
  server.serve(config.role === 'worker' ? createProbeApp(parts) : createApp({ ...parts, limits }));

  const running = started.move();
  const stop = () => running.disposeAsync();
  const metricsUrl = metricsServer && `http://localhost:${metricsServer.port}/metrics`;
  return {
    url: context.publicUrl,
    metricsUrl,
    demo,
    isDemo: config.seedDemo,
    databaseUrl: database.url,
    context,
    readiness,
    stop,
  };
}

/** After `npm ci` it is built already. */
async function buildDashboardOnce(log: Context['log']): Promise<void> {
  if (isBuilt()) return;
  log.info('Building the dashboard, which is done once and takes some seconds');
  await buildDashboard().catch((error) => log.error({ err: error }, 'The dashboard could not be built'));
}

async function listenForMetrics({ metricsPort, host }: Config): Promise<Listening | null> {
  return metricsPort === undefined ? null : listenOn({ host, port: metricsPort, setting: 'METRICS_PORT' });
}

async function askReadiness(orm: MikroORM, background: Background): Promise<Record<string, boolean>> {
  const checks = [inTime(orm.isConnected()), background.isScheduleReady()] as const;
  const [database, schedule] = await Promise.all(checks);
  return { database, schedule };
}

/** What is not heard of in time cannot be used. */
const inTime = (check: Promise<boolean>) => Promise.race([check, sleep(readinessMs, false, { ref: false })]);
