import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import test, { type ExecutionContext } from 'ava';
import { createDataDir } from './data-dir.ts';

interface Database {
  /** The value of `DATA_DIR`. */
  home: string;
  directory: string;
  pidFile: string;
}

/** The copy of the embedded database is not running. */
export function embeddedDatabases(): (t: ExecutionContext) => Database {
  const template = mkdtempSync(join(tmpdir(), 'tillhook-template-'));
  test.before('a template of the embedded database is created', async () => {
    chmodSync(template, 0o755);
    await (await startEmbeddedPostgres(template)).stop();
  });
  test.after.always(() => rmSync(template, { recursive: true }));
  return (t) => {
    const home = createDataDir(t);
    const directory = join(home, 'postgres');
    execFileSync('cp', ['-a', `${template}/.`, home]);
    return { home, directory, pidFile: join(directory, 'postmaster.pid') };
  };
}

export const pidIn = (pidFile: string) => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);

/** A zombie process still has a folder in `/proc`, but no `cwd` in this folder. */
export const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`);
