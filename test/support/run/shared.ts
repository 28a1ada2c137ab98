/** What all test files of a run share, as `run.ts` lends it: servers, each with its database, and a browser. */
import type { Arrange } from '../server/arrange.ts';

export interface SharedServer {
  url: string;
  databaseUrl: string;
}

/** The servers that are shared, and their settings. */
export const sharedSettings = {
  usual: {},
  /** A delivery that was not taken has failed for good. */
  withoutRetries: { DELIVERY_RETRY_DELAYS_MS: '' },
} as const;

export type SharedServerName = keyof typeof sharedSettings;

/** It is started when the first file asks for it. */
export function findSharedServer(name: SharedServerName): Promise<SharedServer> {
  return ask(`server/${name}`);
}

/** The address of the browser, which a file connects to. */
export async function findSharedBrowser(): Promise<string> {
  return (await ask<{ address: string }>('browser')).address;
}

export function arrangeOnSharedServer(server: SharedServerName): Arrange {
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
