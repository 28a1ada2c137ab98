// See docs/decisions/process.md, "The embedded database starts while the service is loaded".
import type { Config } from '../config/config.ts';
import { openEmbedded, startEmbedded } from '../platform/database/embedded/embedded.ts';
import { type Listening, listenOn } from './listening.ts';
import type { Service } from './service.ts';

export { type Config, ConfigError, loadConfig } from '../config/config.ts';

export interface Tillhook extends Service {
  stop(): Promise<void>;
}

export async function startTillhook(config: Config, onStep?: (text: string) => void): Promise<Tillhook> {
  await using started = new AsyncDisposableStack();
  const server = await listenOn({ ...config, setting: 'PORT' });
  started.defer(() => server.close(0));
  const metricsServer = await listenForMetrics(config);
  started.defer(() => metricsServer?.close(0));
  const launched = Promise.withResolvers<void>();
  const databaseUrl = config.databaseUrl ?? openEmbedded(config, started, startEmbedded(onStep, launched.resolve));
  // While it loads the modules, this process does nothing else, so Postgres must have been launched before.
  await Promise.race([launched.promise, Promise.resolve(databaseUrl).catch(() => {})]);

  const { startService } = await import('./service.ts');
  const service = await startService(config, { server, metricsServer, databaseUrl, started, onStep });
  const running = started.move();
  return { ...service, stop: () => running.disposeAsync() };
}

async function listenForMetrics({ metricsPort, host }: Config): Promise<Listening | null> {
  return metricsPort === undefined ? null : listenOn({ host, port: metricsPort, setting: 'METRICS_PORT' });
}
