import { addressAt } from '@tillhook/openapi/rules/service-address';
import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import { createProcessLog } from '../kit/process-log.ts';
import { type EmbeddedPostgres, openEmbedded, startEmbedded } from '../platform/database/embedded/embedded.ts';
import { createMetrics } from '../telemetry/metrics/metrics.ts';
import { createTracer } from '../telemetry/tracing/create-tracer.ts';
import { createRemoteBell } from '../webhooks/queue/bell.ts';
import { createSender } from '../wire/sender.ts';
import { createCoreContext, withoutWorkers } from './create-context.ts';
import { type Database, openDatabase } from './open-database.ts';

interface CommandSettings {
  config: Config;
  started: AsyncDisposableStack;
  /** By default, the command starts the embedded database as a server does. */
  open?: (config: Config) => Promise<EmbeddedPostgres>;
}

interface CommandContext extends Pick<Database, 'directAccess'> {
  context: Context;
}

export async function openCommandContext(settings: CommandSettings): Promise<CommandContext> {
  const { config, started, open = startEmbedded(undefined) } = settings;
  const log = await createProcessLog(config);
  const metrics = createMetrics();
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, started, open));
  const { orm, access, directAccess } = await openDatabase({ config, databaseUrl, log, metrics, started });
  const tracer = await createTracer(config, log);
  started.defer(() => tracer.stop());
  const sender = createSender(config);
  started.defer(() => sender.close());
  // The bell connects when a command makes deliveries due for the first time.
  const bell = createRemoteBell({ database: access, log });
  started.defer(() => bell.stop());
  // The address of the server with the same settings, for links that a command prints.
  const publicUrl = config.publicUrl ?? addressAt(config.host, config.port);
  const core = createCoreContext({ config, orm, log, metrics, tracer, sender, publicUrl, processors: {} });
  return { context: withoutWorkers(core, bell), directAccess };
}
