/**
 * Asks the process of the run for the fixtures that test files share (Postgres, servers, a browser), and to run a server, a
 * mock or a command for one file. `run/fixtures.ts` answers.
 */
import type { MockOptions } from '@tillhook/mock/api';

export interface SharedServer {
  url: string;
  databaseUrl: string;
}

/** The address of a server or mock that runs in the process of the run for one file or one test, and its number there. */
export interface NumberedAddress {
  number: string;
  url: string;
}

/** A mock that runs in the process of the run for one file or one test. */
export interface MockInRun {
  url: string;
  stop(): Promise<void>;
}

/** A command of `npx tillhook`, and the terminal that its output goes to. */
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
  /** A delivery is attempted once. If the attempt fails, the delivery has failed. */
  withoutRetries: { DELIVERY_RETRY_DELAYS_MS: '' },
  /**
   * This server runs no jobs, so payments do not expire and refunds stay pending. It limits the calls of each merchant.
   * The limits for an IP address are too high to reach, because all files call from one address.
   */
  withoutWorker: {
    ROLE: 'api',
    RATE_LIMITS: 'test:250/100,refused_key:100000/1,refused_call:100000/1,checkout_address:100000/1',
  },
} as const;

export type SharedServerName = keyof typeof sharedSettings;

/** Returns the address of the run's Postgres. The template is migrated by then, and the dashboard is built. */
export async function findPostgres(): Promise<URL> {
  return new URL((await askRun<{ url: string }>('postgres')).url);
}

/** Returns the shared server of this name. It starts when the first file asks for it. */
export function findSharedServer(name: SharedServerName): Promise<SharedServer> {
  return askRun(`server/${name}`);
}

/** Returns the address at which a test file connects to the shared browser. */
export async function findSharedBrowser(): Promise<string> {
  return (await askRun<{ address: string }>('browser')).address;
}

/** Returns the address of the dashboard over a mock, without `/dashboard`. */
export async function findMockDashboard(): Promise<string> {
  return (await askRun<{ url: string }>('mock-dashboard')).url;
}

/** Starts a server with this environment in the process of the run. */
export function startServerInRun(env: Record<string, string>): Promise<NumberedAddress> {
  return askRun('start', env);
}

export function stopServerInRun(number: string): Promise<void> {
  return askRun(`server/${number}/stop`);
}

/**
 * Starts a mock in the process of the run, which reads the contract only once. A test of the mock's output starts the mock
 * in its own process.
 */
export async function startMockInRun(options: Pick<MockOptions, 'publicUrl' | 'remembers'> = {}): Promise<MockInRun> {
  const { number, url } = await askRun<NumberedAddress>('mock', options);
  return { url, stop: () => askRun(`stop-mock/${number}`) };
}

/** Runs a command in the process of the run, which has loaded the server's code already. */
export function runCommandInRun(given: GivenCommand): Promise<CommandEnd> {
  return askRun('command', given);
}

/** Asks the process of the run. Fails with its error. */
export async function askRun<Answer>(what: string, given: object = {}): Promise<Answer> {
  const url = process.env.TEST_SHARED_URL;
  if (!url) throw new Error('TEST_SHARED_URL is not set. Run the tests with npm test, which starts their fixtures.');
  const response = await fetch(`${url}/${what}`, { method: 'POST', body: JSON.stringify(given) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text === '' ? (undefined as Answer) : JSON.parse(text);
}
