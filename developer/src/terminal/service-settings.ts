/**
 * Finds the default URL of the service: the URL of a server that starts in the same folder with the same settings. So a
 * single `PORT` in `.env` is enough for the server and all commands.
 */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { addressAt, usualServiceUrl } from '@tillhook/openapi/rules/service-address';

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Choice: when the package is installed, `PORT` and `.env` belong to a merchant's program, so only `TILLHOOK_BASE_URL`
 * is read.
 */
const isInstalled = import.meta.url.endsWith('.mjs');

/** Reads the environment and `.env` as the service does: the environment takes precedence. */
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
