/**
 * The only file that creates clients of the service. A page gets its client from `useTillhook`, for the mode in its
 * address.
 */
import { type ConnectionOptions, type Mode, TillhookSession } from '@tillhook/sdk/session';
import { basePath } from './base.ts';
import { fetchWithTimeLimit, patientFetch } from './ended-session.ts';
import { watchedMerchant } from './watched-merchant.ts';

const baseUrl = `${location.origin}${basePath}`;

/** The maximum delay of a browser timer. The time limit is in `ended-session.ts`. */
const withoutLimit = 2 ** 31 - 1;

/** The query client and `useServiceMutation` decide about retries, because they know what the request is for. */
const connection: ConnectionOptions = { timeoutMs: withoutLimit, totalTimeoutMs: withoutLimit, maxRetries: 0 };

const clients = new Map<string, TillhookSession>();

/**
 * The client of a mode. When the session has ended, its calls wait until the user has signed in again, and are then
 * repeated.
 */
export function tillhookIn(mode: Mode): TillhookSession {
  const merchantId = watchedMerchant();
  const name = `${mode} ${merchantId ?? ''}`;
  const client =
    clients.get(name) ?? new TillhookSession({ ...connection, baseUrl, mode, merchantId, fetch: patientFetch });
  clients.set(name, client);
  return client;
}

/** The client that signs users in and reads the session. For these calls, 401 is a normal answer. */
export const visitor: TillhookSession = new TillhookSession({
  ...connection,
  baseUrl,
  mode: 'test',
  fetch: fetchWithTimeLimit,
});
