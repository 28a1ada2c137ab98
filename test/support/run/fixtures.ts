/**
 * Fixtures that test files share run in the process of `npm test`. A fixture is imported and started when the first
 * file asks for it, because many runs need no fixture.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { MockOptions } from '@tillhook/mock/api';
import type { Arrangements } from '../server/arrange.ts';
import {
  type CommandEnd,
  type GivenCommand,
  type NumberedAddress,
  type SharedServer,
  type SharedServerName,
  sharedSettings,
} from '../shared-fixtures.ts';

export interface Fixtures extends AsyncDisposable {
  url: string;
}

/** A request on a connection that the server is closing would be lost, so this timeout is longer than any run. */
const keepAliveTimeout = 3_600_000;

const poolSize = '30';

export async function startFixtures(home: string): Promise<Fixtures> {
  const running = new AsyncDisposableStack();
  const starting = new Set<Promise<unknown>>();
  function once<Started>(start: () => Promise<Started>): () => Promise<Started> {
    let started: Promise<Started> | undefined;
    return () => {
      started ??= start();
      starting.add(started);
      return started;
    };
  }
  const built = once(async () => {
    const { build, dashboard, docs } = await import('@tillhook/server/src/start/build.ts');
    await Promise.all([dashboard, docs].map(build));
  });
  // The dashboard and the docs are built while Postgres starts, because servers and pages serve them.
  const postgres = once(async () => {
    const [started] = await Promise.all([startSharedPostgres(running, home), built()]);
    return started;
  });
  const servers: Record<SharedServerName, () => Promise<SharedServer & RunningServer>> = {
    usual: once(() => startSharedServer(running, sharedSettings.usual)),
    withoutRetries: once(() => startSharedServer(running, sharedSettings.withoutRetries)),
    withoutWorker: once(() => startSharedServer(running, sharedSettings.withoutWorker)),
  };
  const dedicatedServers: RunningServer[] = [];
  const mocks: { url: string; stop(): Promise<void> }[] = [];
  const browser = once(() => startSharedBrowser(running));
  const mockDashboard = once(async () => {
    await built();
    return startSharedMockDashboard(running);
  });

  async function start(env: Record<string, string>): Promise<NumberedAddress> {
    const server = await startServer(running, env);
    return { number: String(dedicatedServers.push(server) - 1), url: server.url };
  }

  async function startMockHere(options: MockOptions): Promise<NumberedAddress> {
    const { startMock } = await import('@tillhook/mock/api');
    const mock = await startMock(options);
    // The test may have stopped the mock already.
    running.defer(() => mock.stop().catch(() => {}));
    return { number: String(mocks.push(mock) - 1), url: mock.url };
  }

  async function askServer(given: unknown, name: string, act: string | undefined): Promise<unknown> {
    const { stop, arrange, ...server } = dedicatedServers[Number(name)] ?? (await servers[name as SharedServerName]());
    if (act === 'stop') return stop();
    return act ? arrange(act as keyof Arrangements, given as never) : server;
  }

  const answers: Record<string, (given: never, name: string, act?: string) => Promise<unknown> | undefined> = {
    postgres,
    browser,
    'mock-dashboard': mockDashboard,
    start,
    server: askServer,
    command: runGivenCommand,
    mock: startMockHere,
    'stop-mock': (_, number) => mocks[Number(number)]?.stop(),
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const given = await json(request);
    const [, what = '', name = '', act] = (request.url ?? '').split('/');
    const found = answers[what];
    if (!found) throw new Error(`The requested fixture does not exist: ${what}.`);
    return found(given as never, name, act);
  }

  const listener = createServer({ keepAliveTimeout }, (request, response) => {
    answer(request).then(
      (found) => response.end(JSON.stringify(found)),
      (error) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  running.defer(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      // After Ctrl-C, a fixture may still be starting. A fixture can be stopped only after it has started.
      await Promise.allSettled(starting);
      await running.disposeAsync();
    },
  };
}

async function startSharedPostgres(running: AsyncDisposableStack, home: string): Promise<{ url: string }> {
  const { startPostgres } = await import('./postgres.ts');
  const postgres = await startPostgres(home);
  running.defer(() => postgres.stop());
  return { url: postgres.url };
}

/** The mock stores nothing, so that test files can share it. */
async function startSharedMockDashboard(running: AsyncDisposableStack): Promise<{ url: string }> {
  const { startMockDashboard } = await import('../dashboard/mock-dashboard.ts');
  const { url, stop } = await startMockDashboard();
  running.defer(stop);
  return { url };
}

interface RunningServer {
  url: string;
  arrange(name: keyof Arrangements, given: never): Promise<unknown>;
  stop(): Promise<void>;
}

async function startSharedServer(
  running: AsyncDisposableStack,
  settings: Readonly<Record<string, string>>,
): Promise<SharedServer & RunningServer> {
  const [{ createTestDatabase }, { testEnvironment }] = await Promise.all([
    import('../database/database.ts'),
    import('../server/environment.ts'),
  ]);
  const database = await createTestDatabase();
  running.defer(() => database.drop());
  const server = await startServer(
    running,
    testEnvironment(database.url, { DATABASE_POOL_SIZE: poolSize, ...settings }),
  );
  return { ...server, databaseUrl: database.url };
}

/** Only the first server loads and compiles the code. */
async function startServer(running: AsyncDisposableStack, env: Record<string, string>): Promise<RunningServer> {
  const [{ loadConfig, startTillhook }, { arrangements }] = await Promise.all([
    import('@tillhook/server'),
    import('../server/arrange.ts'),
  ]);
  const server = await startTillhook(loadConfig(env));
  running.defer(() => server.stop());
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
  // The timeout is long, because many tests share the machine, and a slow database must not fail a test.
  const patient = { DATABASE_CONNECT_TIMEOUT_MS: '30000', ...env };
  const code = await runCommand(args, { env: patient, stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...printed };
}

async function startSharedBrowser(running: AsyncDisposableStack): Promise<{ address: string }> {
  const [{ chromium }, { findChromium }] = await Promise.all([
    import('playwright-core'),
    import('../browser/chromium.ts'),
  ]);
  const browser = await chromium.launchServer({
    executablePath: await findChromium(),
    args: chromiumSwitches,
    host: '127.0.0.1',
    // By default, Playwright ends this process at a signal, and Postgres would keep running.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  running.defer(() => browser.close());
  return { address: browser.wsEndpoint() };
}

const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  // A separate GPU process would take a tenth of the processor time of all page tests.
  '--in-process-gpu',
  // Background threads would compile scripts in advance, which takes a quarter of the processor time of a page load.
  '--js-flags=--single-threaded --no-opt',
  '--num-raster-threads=1',
  '--disable-features=PaintHolding,SpareRendererForSitePerProcess',
  // With site isolation, a link to another site would start a process, which takes 0.1 seconds of processor time.
  '--disable-site-isolation-trials',
  // All pages share one renderer process, although a script that never ends would block all pages.
  '--renderer-process-limit=1',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // With these switches, Chromium renders text identically on every machine.
  '--font-render-hinting=none',
  '--disable-font-subpixel-positioning',
  '--disable-lcd-text',
];
