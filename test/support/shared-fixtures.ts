/** Asks the process of `npm test` for the fixtures that test files share. `run/fixtures.ts` answers these requests. */
import type { MockOptions } from '@tillhook/mock/api';

export interface SharedServer {
  url: string;
  databaseUrl: string;
}

export interface NumberedAddress {
  number: string;
  url: string;
}

export interface MockInRun {
  url: string;
  stop(): Promise<void>;
}

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

export const sharedSettings = {
  /** No program listens on the port of this mail server, so its mails stay pending. */
  usual: { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Tillhook <tillhook@example.com>' },
  /** This server attempts each delivery only once. If the attempt fails, the delivery has failed. */
  withoutRetries: { DELIVERY_RETRY_DELAYS_MS: '' },
  /**
   * This server runs no jobs, so payments do not expire and refunds stay pending. The limits for an IP address are very
   * high, because all test files call from the same address.
   */
  withoutWorker: {
    ROLE: 'api',
    RATE_LIMITS: 'test:250/100,refused_key:100000/1,refused_call:100000/1,checkout_address:100000/1',
  },
} as const;

export type SharedServerName = keyof typeof sharedSettings;

export async function findPostgres(): Promise<URL> {
  return new URL((await askRun<{ url: string }>('postgres')).url);
}

export function findSharedServer(name: SharedServerName): Promise<SharedServer> {
  return askRun(`server/${name}`);
}

export async function findSharedBrowser(): Promise<string> {
  return (await askRun<{ address: string }>('browser')).address;
}

export async function findMockDashboard(): Promise<string> {
  return (await askRun<{ url: string }>('mock-dashboard')).url;
}

export function startServerInRun(env: Record<string, string>): Promise<NumberedAddress> {
  return askRun('start', env);
}

export function stopServerInRun(number: string): Promise<void> {
  return askRun(`server/${number}/stop`);
}

/** A test of the mock's output must start a mock in the process of its test file. */
export async function startMockInRun(options: Pick<MockOptions, 'publicUrl' | 'remembers'> = {}): Promise<MockInRun> {
  const { number, url } = await askRun<NumberedAddress>('mock', options);
  return { url, stop: () => askRun(`stop-mock/${number}`) };
}

/** Runs the command in the process of `npm test`, which has already loaded the code of the server. */
export function runCommandInRun(given: GivenCommand): Promise<CommandEnd> {
  return askRun('command', given);
}

export async function askRun<Answer>(what: string, given: object = {}): Promise<Answer> {
  const url = process.env.TEST_SHARED_URL;
  if (!url) throw new Error('TEST_SHARED_URL is not set. Run the tests with npm test, which starts their fixtures.');
  const response = await fetch(`${url}/${what}`, { method: 'POST', body: JSON.stringify(given) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text === '' ? (undefined as Answer) : JSON.parse(text);
}
