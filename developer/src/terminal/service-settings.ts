/** A server that starts in this folder reads the same `.env`, so one `PORT` is enough for server and commands. */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { addressAt, usualServiceUrl } from '@tillhook/openapi/rules/service-address';

type Settings = Readonly<Record<string, string | undefined>>;

/** Choice: an installed package reads only `TILLHOOK_BASE_URL`: `PORT` and `.env` belong to the merchant's program. */
const isInstalled = import.meta.url.endsWith('.mjs');

/** The environment takes precedence over `.env`, as in the service. */
export function settingsHere(env: Settings): Settings {
  if (isInstalled || env.NODE_ENV === 'test') return env;
  try {
    return { ...parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, '')), ...env };
  } catch {
    // The service itself reports an unreadable `.env` file.
    return env;
  }
}

export function serviceUrlBy({ TILLHOOK_BASE_URL, PUBLIC_URL, HOST, PORT }: Settings): string {
  if (TILLHOOK_BASE_URL) return TILLHOOK_BASE_URL;
  if (isInstalled) return usualServiceUrl;
  // With `PORT=0`, the service gets a random port that the commands cannot know, so the default port 3000 is used.
  return PUBLIC_URL || addressAt(HOST || '127.0.0.1', Number(PORT) || 3000);
}
