import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

export function createDataDir(t: Pick<ExecutionContext, 'teardown'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'tillhook-data-'));
  // If the tests run as root, Postgres runs under another account, which needs access to the directory.
  chmodSync(directory, 0o755);
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
