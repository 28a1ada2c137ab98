import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { createDataDir } from '../support/server/data-dir.ts';

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

/** Long enough for the server to check its parent processes several times. */
const severalLooksMs = 2500;

test('the server keeps running when the script that started npm has ended', async (t) => {
  // bash replaces itself by the server, whose parent is then npm and whose grandparent is the script.
  const script = ['sh', '-c', 'npm start --script-shell=bash & read -r wait_for_the_end'];
  const { npm: scriptProcess, url } = await npmStart(t, script);

  scriptProcess.stdin?.end();
  await once(scriptProcess, 'exit');
  await sleep(severalLooksMs);

  t.true(await answers(url));
});

/** Runs the command of the README with a new embedded database. */
async function npmStart(
  t: ExecutionContext,
  [command = '', ...args]: readonly string[] = ['npm', 'start'],
): Promise<{ npm: ChildProcess; url: string; postgresPid: number }> {
  const dataDir = createDataDir(t);
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'inherit'],
    // In a new process group, so that a failed test can end the processes that npm leaves.
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
