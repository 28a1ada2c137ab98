import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createDataDir } from '../support/data-dir.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`${signal} for npm ends the server and its embedded database too`, async (t) => {
    const { npm, url, postgresPid } = await npmStart(t);
    t.is((await fetch(`${url}/healthz`)).status, 200);
    t.true(isAlive(postgresPid));

    npm.kill(signal);

    t.false(await eventually(() => answers(url), false));
    // The port is given up last but for the database, which others may use by then.
    t.false(await eventually(() => isAlive(postgresPid), false));
  });
}

/** The very command of the README, over an embedded database of its own. */
async function npmStart(t: ExecutionContext): Promise<{ npm: ChildProcess; url: string; postgresPid: number }> {
  const dataDir = createDataDir(t);
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that a test that fails can end what npm left behind.
    detached: true,
  });
  let postgresPid = 0;
  t.teardown(() => {
    endIfAlive(-(npm.pid ?? 0));
    if (postgresPid) endIfAlive(postgresPid);
  });
  let url = '';
  for await (const line of createInterface({ input: npm.stdout })) {
    if (line.startsWith('api ')) url = line.slice('api '.length);
    if (line === 'ready') break;
  }
  postgresPid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { npm, url, postgresPid };
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
