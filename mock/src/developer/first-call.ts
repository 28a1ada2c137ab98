/** The first call of a command that runs for long: it says at once when there is no service, and waits for a start. */
import { type Account, ConnectionError, TillhookError } from '@tillhook/sdk';
import type { Connection } from './connection.ts';

/** Returns whose key this is. An address where nothing listens fails at once; a service that starts is waited for. */
export async function accountOf({ client }: Connection, signal: AbortSignal): Promise<Account> {
  try {
    return await client.account.get({ signal, maxRetries: 0 });
  } catch (error) {
    if (!(error instanceof TillhookError) || error instanceof ConnectionError || !isPassing(error)) throw error;
    return client.account.get({ signal });
  }
}

const isPassing = ({ status }: TillhookError) => status === 429 || (status ?? 0) >= 500;
