/**
 * Puts the parts together and takes them apart again in the opposite order. What can fail for the operator's fault (the
 * contract, the port, the database) comes first, each with one clear message, before anything is changed.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readContract } from '@tillhook/openapi';
import { createApp, createProbeApp } from './app.ts';
import { type Background, startBackground } from './background.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { isMigrated, migrate, oneAtATime } from './database/migrate.ts';
import { openDatabase } from './database/orm.ts';
import { seedDemo } from './database/seed.ts';
import { compileContract } from './http/contract.ts';
import { systemClock } from './kit/clock.ts';
import { createLogger, type Logger } from './kit/logger.ts';
import { createSealer, type MasterKey } from './kit/seal.ts';
import { readOrCreateSecret } from './kit/secret-file.ts';
import { createProcessors } from './processors/processors.ts';
import { StartError } from './start-error.ts';

export { type Config, ConfigError, loadConfig } from './config.ts';

export interface Tillhook {
  /** Where it is reached, without `/api/v1`. */
  url: string;
  /** The demo merchant's key, when this start made it. */
  testKey: string | null;
  isDemo: boolean;
  databaseUrl: string;
  /** For commands and tests that call services without HTTP. */
  context: Context;
  stop(): Promise<void>;
}

/** Starts everything that `ROLE` names and resolves when it serves. Throws when it cannot, with nothing left running. */
export async function startTillhook(config: Config): Promise<Tillhook> {
  await using started = new AsyncDisposableStack();
  const log = createLogger(config.logLevel);
  const contract = readContract();
  compileContract(contract);

  const server = createServer(answerStarting);
  const port = await listen(server, config);
  started.defer(() => close(server, config.shutdownGraceMs));

  const databaseUrl = config.databaseUrl ?? (await embedded(config, started));
  const orm = await connect(databaseUrl, config.databasePoolSize);
  started.defer(() => orm.close(true));

  const context = createContext({ config, log, orm, publicUrl: config.publicUrl ?? `http://localhost:${port}` });
  const processors = createProcessors();
  const testKey = await prepareDatabase(context, orm, databaseUrl);
  const background = startBackground(context, databaseUrl, processors);
  started.defer(() => background.stop());
  context.bell = background.bell;

  const parts = { context, contract, readiness: () => readiness(orm, background) };
  const app = config.role === 'worker' ? createProbeApp(parts) : createApp({ ...parts, processors });
  server.off('request', answerStarting);
  server.on('request', app);

  const running = started.move();
  const stop = () => running.disposeAsync();
  return { url: context.publicUrl, testKey, isDemo: config.seedDemo, databaseUrl, context, stop };
}

function answerStarting(_request: unknown, response: { writeHead(status: number): { end(text: string): void } }): void {
  response.writeHead(503).end('starting');
}

function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse =
        error.code === 'EADDRINUSE' &&
        `Port ${port} on ${host} is in use. Set PORT to another, or to 0 for a free one.`;
      reject(new StartError(inUse || `Cannot listen on ${host}:${port}: ${error.message}`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Stops accepting, lets requests in flight end within the grace, then cuts what is left. */
function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function embedded(config: Config, started: AsyncDisposableStack): Promise<string> {
  try {
    const postgres = await startEmbeddedPostgres(config.dataDir);
    started.defer(() => postgres.stop());
    return postgres.url;
  } catch (error) {
    throw new StartError(`The embedded database does not start: ${(error as Error).message}`, { cause: error });
  }
}

async function connect(databaseUrl: string, poolSize: number): Promise<MikroORM> {
  const orm = await openDatabase(databaseUrl, poolSize);
  try {
    await orm.em.fork().execute('select 1');
    return orm;
  } catch (error) {
    await orm.close(true);
    const { host, pathname } = new URL(databaseUrl);
    throw new StartError(
      `DATABASE_URL (${host}${pathname}) cannot be used: ${(error as Error).message.trim() || 'no answer'}`,
      { cause: error },
    );
  }
}

function createContext(parts: { config: Config; log: Logger; orm: MikroORM; publicUrl: string }): Context {
  const { config, log, orm, publicUrl } = parts;
  const sealer = createSealer(config.masterKeys ?? [ownMasterKey(config.dataDir)]);
  return { em: orm.em.fork(), config, clock: systemClock, log, sealer, publicUrl, bell: { ring() {} } };
}

/** Only for the embedded database: the key lies beside the data that it protects. */
function ownMasterKey(dataDir: string): MasterKey {
  const key = readOrCreateSecret(join(dataDir, 'master-key'), () => randomBytes(32).toString('base64'));
  return { id: 'local', key: Buffer.from(key, 'base64') };
}

async function prepareDatabase(context: Context, orm: MikroORM, databaseUrl: string): Promise<string | null> {
  const { migrateOnStart, seedDemo: seeds } = context.config;
  return oneAtATime(databaseUrl, async () => {
    if (migrateOnStart) await migrate(orm);
    else if (!(await isMigrated(orm))) {
      throw new StartError('The database is not migrated. Run npm run db:migrate, or set MIGRATE_ON_START=true.');
    }
    return seeds ? seedDemo(context) : null;
  });
}

async function readiness(orm: MikroORM, background: Background): Promise<Record<string, boolean>> {
  return { database: await orm.isConnected(), schedule: await background.isScheduleReady() };
}
