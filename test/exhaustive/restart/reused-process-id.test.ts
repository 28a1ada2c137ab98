/** Tests the start of the embedded database after a reboot, when another process has the id in `postmaster.pid`. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersFrom } from '@tillhook/server/src/platform/database/embedded/cluster.ts';
import {
  shareEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../../support/eventually.ts';
import { otherAccount } from '../../support/programs/other-account.ts';
import { createDataDir } from '../../support/server/data-dir.ts';
import { embeddedDatabases, isAlive, pidIn } from '../../support/server/embedded-database.ts';

const createDatabase = embeddedDatabases();

async function startProgram(t: ExecutionContext): Promise<ChildProcess> {
  const program = spawn('sleep', ['600'], otherAccount());
  t.teardown(() => program.kill('SIGKILL'));
  await once(program, 'spawn');
  return program;
}

function writeLock(file: string, pid: number, { folder, port }: { folder: string; port: number }): void {
  writeFileSync(file, `${pid}\n${folder}\n1764250000\n${port}\n\n127.0.0.1\n 12345678 3\nready   \n`);
  const { uid, gid } = otherAccount();
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

function kill(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

test.serial(
  'the database starts while another program has the process id of its last Postgres, and that program keeps running',
  async (t) => {
    const { home, directory, pidFile } = createDatabase(t);
    const program = await startProgram(t);
    writeLock(pidFile, program.pid ?? 0, { folder: directory, port: 5432 });

    const postgres = await startEmbeddedPostgres(home);

    t.not(pidIn(pidFile), program.pid);
    await postgres.stop();
    t.is(program.exitCode, null);
    t.is(program.signalCode, null);
  },
);

test.serial(
  'the database starts while the Postgres of another folder has the process id of its last Postgres, and the other Postgres keeps running',
  async (t) => {
    const [one, other] = [createDatabase(t), createDatabase(t)];
    const running = await startEmbeddedPostgres(other.home);
    writeLock(one.pidFile, pidIn(other.pidFile), { folder: one.directory, port: Number(new URL(running.url).port) });

    const postgres = await startEmbeddedPostgres(one.home);

    t.not(new URL(postgres.url).port, new URL(running.url).port);
    await postgres.stop();
    await t.notThrowsAsync(running.stop());
  },
);

test.serial('a copy of a folder that is in use is another database, which starts beside the original', async (t) => {
  const { home } = createDatabase(t);
  const running = await startEmbeddedPostgres(home);
  const copy = createDataDir(t);
  execFileSync('cp', ['-a', `${home}/.`, copy]);

  const postgres = await shareEmbeddedPostgres(copy);

  t.not(new URL(postgres.url).port, new URL(running.url).port);
  await postgres.stop();
  await running.stop();
});

test.serial('a Postgres that still runs is used again, even when its folder was moved', async (t) => {
  const { home } = createDatabase(t);
  const running = await startEmbeddedPostgres(home);
  t.teardown(() => running.stop().catch(() => {}));
  const moved = `${createDataDir(t)}/moved`;
  renameSync(home, moved);

  const shared = await shareEmbeddedPostgres(moved);

  t.is(new URL(shared.url).port, new URL(running.url).port);
  await shared.stop();
});

test.serial(
  'children of a killed Postgres prevent the start of a second Postgres, although another program has its process id',
  async (t) => {
    const { home, pidFile } = createDatabase(t);
    const running = await startEmbeddedPostgres(home);
    const postmaster = pidIn(pidFile);
    const child = Number(
      execFileSync('pgrep', ['-P', String(postmaster), '-f', 'checkpointer'], { encoding: 'utf8' }).trim(),
    );
    process.kill(child, 'SIGSTOP');
    t.teardown(() => isAlive(child) && kill(child));
    kill(postmaster);
    await eventually(() => isAlive(postmaster), false);
    const program = await startProgram(t);
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(program.pid)));

    await t.throwsAsync(startEmbeddedPostgres(home), { message: /^Another Postgres still uses .+\. End it, / });

    kill(child);
    await eventually(() => isAlive(child), false);
    const again = await startEmbeddedPostgres(home);
    await again.stop();
    await running.stop().catch(() => {});
  },
);

test.serial(
  'a server that stops after its Postgres was killed sends no signal to the program that now has that id',
  async (t) => {
    const { home, pidFile } = createDatabase(t);
    const running = await startEmbeddedPostgres(home);
    const postmaster = pidIn(pidFile);
    kill(postmaster);
    await eventually(() => isAlive(postmaster), false);
    const program = await startProgram(t);
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(program.pid)));

    await running.stop();

    await sleep(200);
    t.is(program.exitCode, null);
    t.is(program.signalCode, null);
  },
);

test.serial(
  'if the operating system cannot tell which Postgres has the process id, the Postgres on the recorded port is asked',
  async (t) => {
    const [{ home, directory }, other] = [createDatabase(t), createDatabase(t)];
    const running = await startEmbeddedPostgres(home);
    t.teardown(() => running.stop());
    const urlOf = (port: number | string) => () => {
      const url = new URL(running.url.replace(/tillhook$/, 'postgres'));
      url.port = String(port);
      return url.href;
    };
    const { port } = new URL(running.url);
    const old = { writtenAtMs: Date.now() - 3_600_000 };

    t.true(await answersFrom(directory, old, urlOf(port)));
    t.false(await answersFrom(other.directory, old, urlOf(port)));
    t.false(await answersFrom(directory, old, urlOf(1)));
    t.true(await answersFrom(directory, { writtenAtMs: Date.now() }, urlOf(1)), 'the process may be about to listen');
    t.true(await answersFrom(directory, old, () => urlOf(port)().replace(/:[^:@]+@/, ':wrong@')), 'Postgres refuses');
  },
);
