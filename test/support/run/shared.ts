/**
 * Asks the process of the run for what files share, Postgres, servers and a browser, and for the servers, mocks and
 * commands of one file.
 */
import type { MockOptions } from '@tillhook/mock/api';
import type { Arrange } from '../server/arrange.ts';

export interface SharedServer {
  url: string;
  databaseUrl: string;
}

/** Where a server or a mock is that the process of the run has started for one file or one test. */
export interface LentAddress {
  number: string;
  url: string;
}

/** A mock that the process of the run has started for one file or one test. */
export interface LentMock {
  url: string;
  stop(): Promise<void>;
}

/** A command of `npx tillhook`, and what receives its outputs. */
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
   * It runs no jobs, so payments do not expire and refunds stay pending. It counts the calls of each merchant. The limits
   * of a network are out of reach, because all files call from one.
   */
  withoutWorker: {
    ROLE: 'api',
    RATE_LIMITS: 'test:250/100,refused_key:100000/1,refused_call:100000/1,checkout_address:100000/1',
  },
} as const;

export type SharedServerName = keyof typeof sharedSettings;

/** Returns the address of the Postgres of the run. Its template is migrated, and the dashboard is built. */
export async function findPostgres(): Promise<URL> {
  return new URL((await ask<{ url: string }>('postgres')).url);
}

/** Returns the shared server of this name, which starts when the first file asks for it. */
export function findSharedServer(name: SharedServerName): Promise<SharedServer> {
  return ask(`server/${name}`);
}

/** Returns the address at which a test file connects to the shared browser. */
export async function findSharedBrowser(): Promise<string> {
  return (await ask<{ address: string }>('browser')).address;
}

/** Returns the address of the dashboard over a mock, without `/dashboard`. */
export async function findMockDashboard(): Promise<string> {
  return (await ask<{ url: string }>('mock-dashboard')).url;
}

/** Starts a server with this environment in the process of the run. */
export function startLentServer(env: Record<string, string>): Promise<LentAddress> {
  return ask('start', env);
}

export function stopLentServer(number: string): Promise<void> {
  return ask(`server/${number}/stop`);
}

/**
 * Starts a mock in the process of the run, which has read the contract for another before. A test that listens to what a
 * mock prints starts it itself.
 */
export async function lendMock(options: Pick<MockOptions, 'publicUrl' | 'remembers'> = {}): Promise<LentMock> {
  const { number, url } = await ask<LentAddress>('mock', options);
  return { url, stop: () => ask(`stop-mock/${number}`) };
}

/** Runs a command in the process of the run, which has loaded the server. */
export function runLentCommand(given: GivenCommand): Promise<CommandEnd> {
  return ask('command', given);
}

/** Arranges on a shared server, by its name, or on a lent one, by its number. */
export function arrangeOn(server: string): Arrange {
  return ((name: string, given: object) => ask(`server/${server}/${name}`, given)) as Arrange;
}

async function ask<Answer>(what: string, given: object = {}): Promise<Answer> {
  const url = process.env.TEST_SHARED_URL;
  if (!url) throw new Error('Run the tests with npm test: it starts what they share.');
  const response = await fetch(`${url}/${what}`, { method: 'POST', body: JSON.stringify(given) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text === '' ? (undefined as Answer) : JSON.parse(text);
}
