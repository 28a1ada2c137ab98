import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** A home for an embedded database of the test's own. */
export function createDataDir(t: ExecutionContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'tillhook-data-'));
  // As root, Postgres runs under another account, which must be able to get there.
  chmodSync(directory, 0o755);
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
