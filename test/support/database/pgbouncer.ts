import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { freePort } from '../network/free-port.ts';
import { findProgram } from '../programs/installed-programs.ts';
import { giveTo, openToOthers, otherAccount } from '../programs/other-account.ts';

export interface Target {
  url: string;
  /** With 0, PgBouncer does not track prepared statements. Before version 1.21, PgBouncer can never track them. */
  preparedStatements: number;
  /** The default is low, so that several clients share a connection to Postgres. */
  serverConnections?: number;
}

export interface PgBouncer {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  log(): string;
  remove(): Promise<void>;
}

export async function createPgBouncer(
  { path, keepsStatements }: PgBouncerProgram,
  { url, preparedStatements, serverConnections = 3 }: Target,
): Promise<PgBouncer> {
  const target = new URL(url);
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'tillhook-pgbouncer-'));
  const [settings, users, logFile] = [join(home, 'pgbouncer.ini'), join(home, 'users.txt'), join(home, 'log')];
  writeFileSync(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(logFile, '');
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
logfile = ${logFile}
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
${keepsStatements ? `max_prepared_statements = ${preparedStatements}` : ''}
`,
  );
  const account = otherAccount();
  openToOthers(home);
  giveTo(account, [settings, users, logFile]);
  target.host = `127.0.0.1:${port}`;
  let end = async () => {};
  return {
    url: target.href,
    async start() {
      const program = spawn(path, [settings], { ...account, stdio: 'ignore' });
      const ended = once(program, 'exit');
      end = async () => {
        program.kill('SIGKILL');
        await ended;
      };
      await waitUntilItAnswers(target.href);
    },
    kill: () => end(),
    log: () => readFileSync(logFile, 'utf8'),
    async remove() {
      await end();
      rmSync(home, { recursive: true, force: true });
    },
  };
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

const firstWithStatements = [1, 21];

export interface PgBouncerProgram {
  path: string;
  keepsStatements: boolean;
}

const built = fileURLToPath(new URL('../../services/pgbouncer/dist/pgbouncer', import.meta.url));

export function findPgBouncer(): PgBouncerProgram | undefined {
  const path = process.env.PGBOUNCER || (existsSync(built) ? built : findProgram('pgbouncer'));
  if (!path) return undefined;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
  const [firstMajor = 0, firstMinor = 0] = firstWithStatements;
  const keepsStatements = Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor);
  return { path, keepsStatements };
}
