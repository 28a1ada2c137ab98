import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { createDataDir } from '../support/server/data-dir.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// `exhaustive/restart/npm-end.test.ts` sends SIGTERM, which npm forwards, and tests every other command.
test('SIGKILL sent to npm also ends the server and its embedded database', async (t) => {
  const { npm, url, postgresPid } = await npmStart(t);
  t.is((await fetch(`${url}/healthz`)).status, 200);
  t.true(isAlive(postgresPid));

  npm.kill('SIGKILL');

  t.false(await eventually(() => answers(url), false));
  // Postgres ends last. Another process may already use the port of the server at that time.
  t.false(await eventually(() => isAlive(postgresPid), false));
});

test('Ctrl-C while the embedded database is being created ends the start without an error message', async (t) => {
  const dataDir = createDataDir(t);
  const npm = spawnNpmStart(t, dataDir);
  const printed = Promise.all([text(npm.stdout), text(npm.stderr)]);
  // Until `pg_control` exists, initdb only tries out settings and ignores signals. When it exists, most of the work is
  // still to be done.
  await eventually(() => existsSync(join(dataDir, 'postgres.new', 'global', 'pg_control')), true);

  // A terminal, too, sends the signal to npm and to every process that npm has started.
  process.kill(-(npm.pid ?? 0), 'SIGINT');

  const [stdout, stderr] = await printed;
  t.notRegex(stdout, /^ready$/m, 'The signal came too late: the database was already created.');
  t.is(stderr, '');
  t.false(existsSync(join(dataDir, 'postgres')));
});

async function npmStart(
  t: ExecutionContext,
): Promise<{ npm: ChildProcessWithoutNullStreams; url: string; postgresPid: number }> {
  const dataDir = createDataDir(t);
  const npm = spawnNpmStart(t, dataDir);
  let postgresPid = 0;
  t.teardown(() => {
    if (postgresPid) endIfAlive(postgresPid);
  });
  npm.stderr.pipe(process.stderr);
  let url = '';
  for await (const line of createInterface({ input: npm.stdout })) {
    if (line.startsWith('api ')) url = line.slice('api '.length);
    if (line === 'ready') break;
  }
  postgresPid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { npm, url, postgresPid };
}

function spawnNpmStart(t: ExecutionContext, dataDir: string): ChildProcessWithoutNullStreams {
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', NODE_ENV: 'test' },
    // npm gets a new process group, so that a failed test can end the processes that npm leaves.
    detached: true,
  });
  t.teardown(() => endIfAlive(-(npm.pid ?? 0)));
  return npm;
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
    // The process has already ended.
  }
}
