/**
 * Lends what test files share, each from the moment at which the first file asks for it. `shared.ts` is what files ask
 * with. Each thing is imported when it starts too, because many runs need none of them.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { MockOptions } from '@tillhook/mock/api';
import type { Arrangements } from '../server/arrange.ts';
import {
  type CommandEnd,
  type GivenCommand,
  type LentAddress,
  type SharedServer,
  type SharedServerName,
  sharedSettings,
} from './shared.ts';

export interface Lender extends AsyncDisposable {
  url: string;
}

/** Longer than any run: a question on a connection that is just being closed would be lost. */
const keepAliveTimeout = 3_600_000;

/** Connections of each shared server: several files call it at once. */
const poolSize = '30';

/** `home` is a folder for what is lent. */
export async function startLending(home: string): Promise<Lender> {
  const lent = new AsyncDisposableStack();
  const starting = new Set<Promise<unknown>>();
  /** Calls `start` when it is called first, and returns the same promise every time. */
  function once<Started>(start: () => Promise<Started>): () => Promise<Started> {
    let started: Promise<Started> | undefined;
    return () => {
      started ??= start();
      starting.add(started);
      return started;
    };
  }
  const built = once(async () => {
    const { buildDashboard, buildDocs } = await import('@tillhook/server/src/pages/build.ts');
    await Promise.all([buildDashboard(), buildDocs()]);
  });
  // Servers and pages hand out the built dashboard and the built docs, so these are built together with Postgres.
  const postgres = once(async () => {
    const [started] = await Promise.all([startSharedPostgres(lent, home), built()]);
    return started;
  });
  const servers: Record<SharedServerName, () => Promise<SharedServer & RunningServer>> = {
    usual: once(() => startSharedServer(lent, sharedSettings.usual)),
    withoutRetries: once(() => startSharedServer(lent, sharedSettings.withoutRetries)),
    withoutWorker: once(() => startSharedServer(lent, sharedSettings.withoutWorker)),
  };
  /** The servers with settings of a test, by their numbers. */
  const lentToOne: RunningServer[] = [];
  const mocks: { url: string; stop(): Promise<void> }[] = [];
  const browser = once(() => startSharedBrowser(lent));
  const mockDashboard = once(async () => {
    await built();
    return startSharedMockDashboard(lent);
  });

  async function start(env: Record<string, string>): Promise<LentAddress> {
    const server = await startServer(lent, env);
    return { number: String(lentToOne.push(server) - 1), url: server.url };
  }

  async function startLentMock(options: MockOptions): Promise<LentAddress> {
    const { startMock } = await import('@tillhook/mock/api');
    const mock = await startMock(options);
    // The test may have stopped it.
    lent.defer(() => mock.stop().catch(() => {}));
    return { number: String(mocks.push(mock) - 1), url: mock.url };
  }

  async function askServer(given: unknown, name: string, act: string | undefined): Promise<unknown> {
    const { stop, arrange, ...server } = lentToOne[Number(name)] ?? (await servers[name as SharedServerName]());
    if (act === 'stop') return stop();
    return act ? arrange(act as keyof Arrangements, given as never) : server;
  }

  /** What can be asked for, by the first part of the path. */
  const answers: Record<string, (given: never, name: string, act?: string) => Promise<unknown> | undefined> = {
    postgres,
    browser,
    'mock-dashboard': mockDashboard,
    start,
    server: askServer,
    command: runGivenCommand,
    mock: startLentMock,
    'stop-mock': (_, number) => mocks[Number(number)]?.stop(),
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const given = await json(request);
    const [, what = '', name = '', act] = (request.url ?? '').split('/');
    const found = answers[what];
    if (!found) throw new Error(`Nothing is called ${what}.`);
    return found(given as never, name, act);
  }

  const listener = createServer({ keepAliveTimeout }, (request, response) => {
    answer(request).then(
      (found) => response.end(JSON.stringify(found)),
      (error) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  lent.defer(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      // After Ctrl-C, something may still be starting, which could not be stopped before it has started.
      await Promise.allSettled(starting);
      await lent.disposeAsync();
    },
  };
}

async function startSharedPostgres(lent: AsyncDisposableStack, home: string): Promise<{ url: string }> {
  const { startPostgres } = await import('./postgres.ts');
  const postgres = await startPostgres(home);
  lent.defer(() => postgres.stop());
  return { url: postgres.url };
}

/** It remembers nothing, so files share it. It hands out the built dashboard and the built docs. */
async function startSharedMockDashboard(lent: AsyncDisposableStack): Promise<{ url: string }> {
  const { startMockDashboard } = await import('../dashboard/mock-dashboard.ts');
  const { url, stop } = await startMockDashboard();
  lent.defer(stop);
  return { url };
}

interface RunningServer {
  url: string;
  arrange(name: keyof Arrangements, given: never): Promise<unknown>;
  stop(): Promise<void>;
}

async function startSharedServer(
  lent: AsyncDisposableStack,
  settings: Readonly<Record<string, string>>,
): Promise<SharedServer & RunningServer> {
  const [{ createTestDatabase }, { testEnvironment }] = await Promise.all([
    import('../database/database.ts'),
    import('../server/environment.ts'),
  ]);
  const database = await createTestDatabase();
  lent.defer(() => database.drop());
  const server = await startServer(lent, testEnvironment(database.url, { DATABASE_POOL_SIZE: poolSize, ...settings }));
  return { ...server, databaseUrl: database.url };
}

/** Starts a server in this process, which has loaded and compiled its code already when a file asks for one more. */
async function startServer(lent: AsyncDisposableStack, env: Record<string, string>): Promise<RunningServer> {
  const [{ loadConfig, startTillhook }, { arrangements }] = await Promise.all([
    import('@tillhook/server'),
    import('../server/arrange.ts'),
  ]);
  const server = await startTillhook(loadConfig(env));
  lent.defer(() => server.stop());
  return {
    url: server.url,
    arrange: (name, given) => arrangements[name](server.context, given),
    stop: server.stop,
  };
}

async function runGivenCommand({ terminal, env, args }: GivenCommand): Promise<CommandEnd> {
  const { runCommand } = await import('@tillhook/server/src/cli/main.ts');
  const printed = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof printed) => ({
    ...terminal,
    write(text: string) {
      printed[stream] += text;
    },
  });
  // Many tests share the machine, and a slow database must not fail one.
  const patient = { DATABASE_CONNECT_TIMEOUT_MS: '30000', ...env };
  const code = await runCommand(args, { env: patient, stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...printed };
}

async function startSharedBrowser(lent: AsyncDisposableStack): Promise<{ address: string }> {
  const [{ chromium }, { findChromium }] = await Promise.all([
    import('playwright-core'),
    import('../browser/chromium.ts'),
  ]);
  const browser = await chromium.launchServer({
    executablePath: await findChromium(),
    args: chromiumSwitches,
    host: '127.0.0.1',
    // Otherwise Playwright ends this process at a signal, and Postgres goes on running.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  lent.defer(() => browser.close());
  return { address: browser.wsEndpoint() };
}

const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  // A process for drawing takes a tenth of the processor time of all page tests.
  '--in-process-gpu',
  // Pages live for seconds: what other threads prepare for later, in scripts or in drawing, is a quarter of the
  // processor time of a load and is hardly used.
  '--js-flags=--single-threaded --no-opt',
  '--num-raster-threads=1',
  '--disable-features=PaintHolding,SpareRendererForSitePerProcess',
  // A page that leads to another site would start a process there, which takes a tenth of a second of processor time.
  '--disable-site-isolation-trials',
  // All pages share one process. One whose script never ends would stop the others too.
  '--renderer-process-limit=1',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Letters are drawn the same way on every machine.
  '--font-render-hinting=none',
  '--disable-font-subpixel-positioning',
  '--disable-lcd-text',
];
