import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { startEmbeddedPostgres } from '@tillhook/server/src/database/embedded.ts';
import { migrate } from '@tillhook/server/src/database/migrate.ts';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { spawnTillhook } from '../support/server/process.ts';
import { profilesDirectory } from './reports-directory.ts';

/** What every measurement works with. */
export interface Bench {
  rounds: number;
  databaseUrl: string;
  /** A connection of the benchmark's own. */
  database: Client;
  postgresPid: number;
  sealer: Sealer;
  /** Whatever was started and must be stopped, however the run ends. */
  running: AsyncDisposableStack;
  /** Starts the real server as a process of its own, on this database unless its environment says otherwise. */
  startServer(role: Role, env?: Record<string, string>): Promise<RunningServer>;
  /** An empty database on the same Postgres. */
  createDatabase(name: string): Promise<string>;
}

type Role = 'api' | 'worker' | 'all';

export interface RunningServer {
  url: string;
  pid: number;
  /** Says what it complained of: figures of a process that lacked a connection are worth nothing. */
  stop(): Promise<void>;
}

/** Starts an empty, migrated database in a directory that goes with it. */
export async function prepareBench(
  running: AsyncDisposableStack,
  { rounds, profile }: { rounds: number; profile: boolean },
): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-bench-'));
  // As root, Postgres runs under another account, which must be able to get there.
  chmodSync(home, 0o755);
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  // With each commit Postgres notes when it was, which is what a delivery's way is timed from.
  const postgres = await startEmbeddedPostgres(home, { settings: { track_commit_timestamp: 'on' } });
  running.defer(() => postgres.stop());
  const postgresPid = Number(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  await createSchema(postgres.url);

  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  running.defer(() => database.end());
  const key = randomBytes(32);
  const env = serverEnvironment(postgres.url, { key, profile });
  return {
    rounds,
    databaseUrl: postgres.url,
    database,
    postgresPid,
    sealer: createSealer([{ id: 'bench', key }]),
    running,
    startServer: (role, own) => startServer(running, { ...env, ...own, ROLE: role }),
    async createDatabase(name) {
      await database.query(`create database ${database.escapeIdentifier(name)}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

/** Makes an empty database one of ours. */
export async function createSchema(databaseUrl: string): Promise<void> {
  const orm = await openOrm(reachDatabase(databaseUrl), 2);
  await migrate(orm);
  await orm.close();
}

function serverEnvironment(
  databaseUrl: string,
  { key, profile }: { key: Buffer; profile: boolean },
): Record<string, string> {
  if (profile) mkdirSync(profilesDirectory, { recursive: true });
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    // Counted like any other, and never reached.
    RATE_LIMITS: 'test:900000000/10',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: `bench:${key.toString('base64')}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    ...(profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profilesDirectory}` }),
  };
}

/** Waits until it serves. */
async function startServer(running: AsyncDisposableStack, env: Record<string, string>): Promise<RunningServer> {
  const teardown = { teardown: (end: () => void) => running.defer(end) } as ExecutionContext;
  const server = spawnTillhook(teardown, env);
  const url = await server.line('api ');
  await server.line('ready');
  return {
    url,
    pid: server.pid,
    async stop() {
      server.kill('SIGTERM');
      const { code, stderr } = await server.ended;
      if (code !== 0) throw new Error(`The ${env.ROLE} process ended with ${code}.\n${stderr}`);
      if (stderr) console.error(`The ${env.ROLE} process complained:\n${stderr}`);
    },
  };
}
