/** The only file that makes clients of the service. Pages get theirs from `useTillhook`, in the mode of their address. */
import { type ConnectionOptions, type Mode, TillhookSession } from '@tillhook/sdk/session';
import { basePath } from './base.ts';
import { fetchInTime, patientFetch } from './patient-fetch.ts';
import { watchedMerchant } from './watched-merchant.ts';

const baseUrl = `${location.origin}${basePath}`;

/** As long as a timer can be: `patient-fetch.ts` has the time limit. */
const withoutLimit = 2 ** 31 - 1;

/** Whether to ask again is decided by the query client and by `useAsk`, which know what is asked. */
const connection: ConnectionOptions = { timeoutMs: withoutLimit, totalTimeoutMs: withoutLimit, maxRetries: 0 };

const clients = new Map<string, TillhookSession>();

/** The client of a mode. A call of it that meets an ended session waits for the password and is then repeated. */
export function tillhookIn(mode: Mode): TillhookSession {
  const merchantId = watchedMerchant();
  const name = `${mode} ${merchantId ?? ''}`;
  const client =
    clients.get(name) ?? new TillhookSession({ ...connection, baseUrl, mode, merchantId, fetch: patientFetch });
  clients.set(name, client);
  return client;
}

/** The client for sign-in and for asking who is signed in, where 401 is an answer like any other. */
export const visitor: TillhookSession = new TillhookSession({
  ...connection,
  baseUrl,
  mode: 'test',
  fetch: fetchInTime,
});
