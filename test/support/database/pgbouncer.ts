import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { freePort } from '../network/free-port.ts';
import { findPgBouncer, type PgBouncerProgram } from './pgbouncer-program.ts';

interface Pooling {
  /** The value of `max_prepared_statements`. Versions before 1.21 know only 0, which turns tracking off. */
  preparedStatements: number;
  /** Few, so that several clients use each connection in turn. */
  serverConnections?: number;
}

/** Any version is new enough if PgBouncer need not track prepared statements. */
const isNewEnough = ({ keepsStatements }: PgBouncerProgram, preparedStatements: number) =>
  keepsStatements || preparedStatements === 0;

/**
 * Declares a test that needs PgBouncer. Without PgBouncer the test is skipped, and `npm test` says so in capitals; with
 * CI=true it fails. The tests run one after another, because at the same time in one process they would run into
 * time-outs.
 */
export function onPgBouncer(preparedStatements: number) {
  const program = findPgBouncer();
  const canRun = program !== undefined && isNewEnough(program, preparedStatements);
  return canRun || process.env.CI === 'true' ? test.serial : test.serial.skip;
}

export function requirePgBouncer(preparedStatements: number): PgBouncerProgram {
  const program = findPgBouncer();
  if (!program) throw new Error('PgBouncer is not installed: install it, or set PGBOUNCER to the path of the program.');
  if (!isNewEnough(program, preparedStatements))
    throw new Error(
      `${program.path} is older than PgBouncer 1.21, which this test needs: set PGBOUNCER to another program.`,
    );
  return program;
}

/**
 * Starts PgBouncer in transaction mode in front of the Postgres at this address, and returns the address through
 * PgBouncer.
 */
export async function startPgBouncer(
  t: ExecutionContext,
  { path, keepsStatements }: PgBouncerProgram,
  { url, preparedStatements, serverConnections = 3 }: Pooling & { url: string },
): Promise<string> {
  const target = new URL(url);
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'tillhook-pgbouncer-'));
  const settings = join(home, 'pgbouncer.ini');
  const users = join(home, 'users.txt');
  writeFileSync(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
${keepsStatements ? `max_prepared_statements = ${preparedStatements}` : ''}
`,
  );
  const identity = giveToOtherAccount(home, [settings, users]);
  const program = spawn(path, [settings], { ...identity, stdio: 'ignore' });
  const ended = once(program, 'exit');
  t.teardown(async () => {
    program.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  });
  target.host = `127.0.0.1:${port}`;
  await waitUntilItAnswers(target.href);
  return target.href;
}

/**
 * PgBouncer refuses to run as root. If the tests run as root, its files belong to the account `nobody`, which runs it.
 */
function giveToOtherAccount(home: string, files: string[]) {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  chmodSync(home, 0o755);
  for (const file of files) chownSync(file, uid, gid);
  return { uid, gid };
}

async function waitUntilItAnswers(url: string): Promise<void> {
  for (let triesLeft = 100; ; triesLeft--) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (triesLeft === 0) throw error;
      await sleep(50);
    }
  }
}
