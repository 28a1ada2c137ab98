/**
 * Puts the parts together and takes them apart again in the opposite order. What can fail for the operator's fault (the
 * contract, the port, the database) comes first, each with one clear message, before anything is changed.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readContract } from '@tillhook/openapi';
import { createApp, createProbeApp } from './app.ts';
import { type Background, startBackground } from './background.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { DemoCredentials } from './database/seed.ts';
import { layFoundation } from './foundation.ts';
import { compileContract } from './http/contract.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createPayoutProcessors, createProcessors } from './processors/processors.ts';
import { StartError } from './start-error.ts';

export { type Config, ConfigError, loadConfig } from './config.ts';

export interface Tillhook {
  /** Where it is reached, without `/api/v1`. */
  url: string;
  /** What opens the demo merchant's doors, when this start made it. */
  demo: DemoCredentials | null;
  isDemo: boolean;
  databaseUrl: string;
  /** For commands and tests that call services without HTTP. */
  context: Context;
  stop(): Promise<void>;
}

/**
 * A connection is kept longer than proxies and clients keep theirs, so that it is they who let go: a call on a connection
 * that we are just closing would be lost. Whoever takes half a minute to send 100 KiB is cut off.
 */
const connectionTimes = { keepAliveTimeout: 65_000, requestTimeout: 30_000 };

const withoutTrust =
  'PUBLIC_URL is set and TRUST_PROXY is not: if a proxy stands before us, limits by address take all callers for one';

/** Starts everything that `ROLE` names and resolves when it serves. Throws when it cannot, with nothing left running. */
export async function startTillhook(config: Config): Promise<Tillhook> {
  await using started = new AsyncDisposableStack();
  const contract = readContract();
  compileContract(contract);

  const server = createServer(connectionTimes, answerStarting);
  const port = await listen(server, config);
  started.defer(() => close(server, 0));

  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const { context, orm, databaseUrl, demo } = await layFoundation({ config, publicUrl, started });
  if (config.publicUrl && config.ratePolicies && !config.trustProxy) context.log.warn(withoutTrust);
  const limits = createRateLimits({ policies: config.ratePolicies, databaseUrl, log: context.log });
  started.defer(() => limits.stop());
  context.processors = await createProcessors(config, context.log);
  const payoutProcessors = createPayoutProcessors(config);
  const background = startBackground(context, databaseUrl, payoutProcessors);
  context.bell = background.bell;
  context.payouts = { serves: (mode) => mode in payoutProcessors, ring: background.ringPayouts };
  // Undone first, together and within one grace, while everything that both need is still there.
  started.defer(async () => {
    await Promise.all([close(server, config.shutdownGraceMs), background.stop()]);
  });

  const parts = { context, contract, readiness: () => readiness(orm, background) };
  const app = config.role === 'worker' ? createProbeApp(parts) : createApp({ ...parts, limits });
  server.off('request', answerStarting);
  server.on('request', app);

  const running = started.move();
  const stop = () => running.disposeAsync();
  return { url: context.publicUrl, demo, isDemo: config.seedDemo, databaseUrl, context, stop };
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

async function readiness(orm: MikroORM, background: Background): Promise<Record<string, boolean>> {
  return { database: await orm.isConnected(), schedule: await background.isScheduleReady() };
}
