/** The only file that creates clients of the API. `useTillhook` gives a page the client for its mode. */
import { type ConnectionOptions, type Mode, TillhookSession } from '@tillhook/sdk/session';
import { basePath } from './base.ts';
import { fetchWithTimeLimit, patientFetch } from './ended-session.ts';
import { watchedMerchant } from './watched-merchant.ts';

const baseUrl = `${location.origin}${basePath}`;

/** The maximum delay of a browser timer. The SDK sets no shorter limit, because `ended-session.ts` has the time limit. */
const withoutLimit = 2 ** 31 - 1;

/**
 * The SDK does not retry. The query client and `useServiceMutation` do, because they know whether a retry is safe.
 */
const connection: ConnectionOptions = { timeoutMs: withoutLimit, totalTimeoutMs: withoutLimit, maxRetries: 0 };

const clients = new Map<string, TillhookSession>();

/** When the session has ended, calls of this client wait until the user has signed in again. */
export function tillhookIn(mode: Mode): TillhookSession {
  const merchantId = watchedMerchant();
  const name = `${mode} ${merchantId ?? ''}`;
  const client =
    clients.get(name) ?? new TillhookSession({ ...connection, baseUrl, mode, merchantId, fetch: patientFetch });
  clients.set(name, client);
  return client;
}

/** A client for use without a session: its calls fail with 401 and do not wait until the user has signed in. */
export const visitor: TillhookSession = new TillhookSession({
  ...connection,
  baseUrl,
  mode: 'test',
  fetch: fetchWithTimeLimit,
});
