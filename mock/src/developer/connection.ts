/** Connects a command to the service: reads the key and the address, and tells their mistakes before the first call. */
import { Tillhook, type TillhookOptions } from '@tillhook/sdk';
import { serviceUrlBy } from '../service-settings.ts';
import { ArgumentError, type DeveloperEnvironment } from './environment.ts';

export interface Connection {
  client: Tillhook;
  apiKey: string;
  isLive: boolean;
}

export interface ConnectionOptions {
  /** The value of `--base-url`. */
  baseUrl?: string;
}

export function connect(
  { env }: Pick<DeveloperEnvironment, 'env'>,
  { baseUrl = serviceUrlBy(env) }: ConnectionOptions,
  options: Pick<TillhookOptions, 'hooks'> = {},
): Connection {
  const apiKey = env.TILLHOOK_API_KEY?.trim();
  if (!apiKey) {
    throw new ArgumentError('TILLHOOK_API_KEY is not set.', {
      advice:
        'Set it to the test key that `npm start` printed, or to a key of the dashboard: export TILLHOOK_API_KEY=sk_test_…',
    });
  }
  try {
    const client = new Tillhook(apiKey, { baseUrl, ...options });
    return { client, apiKey, isLive: apiKey.startsWith('sk_live_') };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ArgumentError(error.message, {
      advice: 'Check TILLHOOK_API_KEY, and --base-url or TILLHOOK_BASE_URL.',
      cause: error,
    });
  }
}

/** Refuses a live key. The service would refuse it too, but only after a part of the work. */
export function requireTestKey({ isLive }: Connection, command: string): void {
  if (!isLive) return;
  throw new ArgumentError(`${command} works with a test key only, and TILLHOOK_API_KEY is a live key.`, {
    advice: 'Set TILLHOOK_API_KEY to a key that begins with sk_test_. Nothing was changed.',
  });
}
