/**
 * Where the commands look for the service when they are not told: at the address of a server that is started in the same
 * folder with the same settings. So one `PORT` in `.env` is enough for all of them.
 */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { addressAt, usualServiceUrl } from '@tillhook/openapi/service-address';

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Choice: where the package is installed, `PORT` and `.env` are those of a merchant's program, so only
 * `TILLHOOK_BASE_URL` is read there.
 */
const isInstalled = import.meta.url.endsWith('.mjs');

/** The settings of the environment and of `.env`, as the service reads them: where both have one, the environment wins. */
export function settingsHere(env: Settings): Settings {
  if (isInstalled || env.NODE_ENV === 'test') return env;
  try {
    return { ...parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, '')), ...env };
  } catch {
    // The service says what is wrong with a file that cannot be read.
    return env;
  }
}

export function serviceUrlBy({ TILLHOOK_BASE_URL, PUBLIC_URL, HOST, PORT }: Settings): string {
  if (TILLHOOK_BASE_URL) return TILLHOOK_BASE_URL;
  if (isInstalled) return usualServiceUrl;
  // With `PORT=0` the service has another port at each start, which is not known here.
  return PUBLIC_URL || addressAt(HOST || '127.0.0.1', Number(PORT) || 3000);
}
