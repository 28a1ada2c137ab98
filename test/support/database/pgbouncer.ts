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
  /** 0 turns them off, which is all that versions before 1.21 can do. */
  preparedStatements: number;
  /** Few, so that clients meet on them. */
  serverConnections?: number;
}

/** Where it keeps no prepared statements, any version will do. */
const isNewEnough = ({ keepsStatements }: PgBouncerProgram, preparedStatements: number) =>
  keepsStatements || preparedStatements === 0;

/**
 * Declares a test that needs PgBouncer. Without it the test is skipped, and `npm test` says so in capitals; with CI=true it
 * fails. One runs after another: side by side in one process they would keep each other waiting for longer than they may.
 */
export function onPgBouncer(preparedStatements: number) {
  const program = findPgBouncer();
  const canRun = program !== undefined && isNewEnough(program, preparedStatements);
  return canRun || process.env.CI === 'true' ? test.serial : test.serial.skip;
}

export function requirePgBouncer(preparedStatements: number): PgBouncerProgram {
  const program = findPgBouncer();
  if (!program) throw new Error('There is no PgBouncer: install it, or name the program by PGBOUNCER.');
  if (!isNewEnough(program, preparedStatements))
    throw new Error(`PgBouncer 1.21 or later is needed, and ${program.path} is older: name another by PGBOUNCER.`);
  return program;
}

/** Runs PgBouncer in transaction mode before the Postgres at this address, and returns the same address through it. */
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

/** PgBouncer refuses to run as root, so another account is given its files and runs it. */
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
