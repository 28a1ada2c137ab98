/**
 * Asks the process of `npm test` for the fixtures that test files share (Postgres, servers, a browser), and starts a
 * server, a mock or a command in this process for one test file. `run/fixtures.ts` answers these requests.
 */
import type { MockOptions } from '@tillhook/mock/api';

export interface SharedServer {
  url: string;
  databaseUrl: string;
}

/** The URL and the number of a server or mock that runs in the process of `npm test` for one test file or one test. */
export interface NumberedAddress {
  number: string;
  url: string;
}

/** A mock that runs in the process of `npm test` for one test file or one test. */
export interface MockInRun {
  url: string;
  stop(): Promise<void>;
}

/** A command of `npx tillhook`, and the terminal to which the command prints. */
export interface GivenCommand {
  terminal: { isTTY?: true; columns?: number };
  env: Record<string, string>;
  args: string[];
}

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The shared servers by name, with their settings. */
export const sharedSettings = {
  usual: {},
  /** This server attempts each delivery only once. If the attempt fails, the delivery has failed. */
  withoutRetries: { DELIVERY_RETRY_DELAYS_MS: '' },
  /**
   * This server runs no jobs, so payments do not expire and refunds stay pending. The server limits the calls of each
   * merchant. The limits for an IP address are very high, because all test files call from the same address.
   */
  withoutWorker: {
    ROLE: 'api',
    RATE_LIMITS: 'test:250/100,refused_key:100000/1,refused_call:100000/1,checkout_address:100000/1',
  },
} as const;

export type SharedServerName = keyof typeof sharedSettings;

/** Returns the URL of the shared Postgres, after the template is migrated and the dashboard is built. */
export async function findPostgres(): Promise<URL> {
  return new URL((await askRun<{ url: string }>('postgres')).url);
}

/** Returns the shared server of this name. The server starts when the first test file asks for it. */
export function findSharedServer(name: SharedServerName): Promise<SharedServer> {
  return askRun(`server/${name}`);
}

/** Returns the address at which a test file connects to the shared browser. */
export async function findSharedBrowser(): Promise<string> {
  return (await askRun<{ address: string }>('browser')).address;
}

/** Returns the URL of the dashboard that uses a mock as its API, without the path `/dashboard`. */
export async function findMockDashboard(): Promise<string> {
  return (await askRun<{ url: string }>('mock-dashboard')).url;
}

/** Starts a server with this environment in the process of `npm test`. */
export function startServerInRun(env: Record<string, string>): Promise<NumberedAddress> {
  return askRun('start', env);
}

export function stopServerInRun(number: string): Promise<void> {
  return askRun(`server/${number}/stop`);
}

/**
 * Starts a mock in the process of `npm test`, which reads the contract only once. A test of the mock's output must
 * start the mock in its own process.
 */
export async function startMockInRun(options: Pick<MockOptions, 'publicUrl' | 'remembers'> = {}): Promise<MockInRun> {
  const { number, url } = await askRun<NumberedAddress>('mock', options);
  return { url, stop: () => askRun(`stop-mock/${number}`) };
}

/** Runs a command in the process of `npm test`, which has already loaded the code of the server. */
export function runCommandInRun(given: GivenCommand): Promise<CommandEnd> {
  return askRun('command', given);
}

/** Sends a request to the process of `npm test`. Throws the error of that process. */
export async function askRun<Answer>(what: string, given: object = {}): Promise<Answer> {
  const url = process.env.TEST_SHARED_URL;
  if (!url) throw new Error('TEST_SHARED_URL is not set. Run the tests with npm test, which starts their fixtures.');
  const response = await fetch(`${url}/${what}`, { method: 'POST', body: JSON.stringify(given) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text === '' ? (undefined as Answer) : JSON.parse(text);
}
