import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';

/** Starts a real Postgres with an empty database, outside the container. */
export async function startPostgres(work: string): Promise<AsyncDisposable & { url: string }> {
  const home = join(work, 'postgres');
  mkdirSync(home);
  // As root, Postgres runs under another account, which needs access to the directory.
  for (const folder of [work, home]) chmodSync(folder, 0o755);
  const { url, stop } = await startEmbeddedPostgres(home);
  return { url, [Symbol.asyncDispose]: stop };
}
