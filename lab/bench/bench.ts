import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import { Client } from 'pg';
import { profilesDirectory } from '../support/reports-directory.ts';
import { type Role, type RunningServer, startServer } from '../support/server.ts';
import type { Rounds } from './rounds.ts';

export interface Bench extends Rounds {
  databaseUrl: string;
  home: string;
  env: Record<string, string>;
  database: Client;
  postgresPid: number;
  sealer: Sealer;
  running: AsyncDisposableStack;
  startServer(role: Role, env?: Record<string, string>): Promise<RunningServer>;
  createDatabase(name: string): Promise<string>;
}

export async function prepareBench(
  running: AsyncDisposableStack,
  { rounds, seconds, profile }: Rounds & { profile: boolean },
): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-bench-'));
  // If the benchmark runs as root, Postgres runs under another account, which needs access to the directory.
  chmodSync(home, 0o755);
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  // With `track_commit_timestamp`, Postgres records when a delivery is committed, which is when its latency starts.
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
    seconds,
    home,
    env,
    databaseUrl: postgres.url,
    database,
    postgresPid,
    sealer: createSealer([{ id: 'bench', key }]),
    running,
    startServer: (role, own) => startServer({ env: { ...env, ...own, ROLE: role }, home, running }),
    async createDatabase(name) {
      await database.query(`create database ${database.escapeIdentifier(name)}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

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
    // The server counts calls for rate limits as in production, but the limits are too high to reach.
    RATE_LIMITS: 'test:900000000/10',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: `bench:${key.toString('base64')}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    ...(profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profilesDirectory}` }),
  };
}
