import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { giveTo, openToOthers, otherAccount } from '@tillhook/test/support/programs/other-account.ts';

const run = promisify(execFile);

export interface PostgresFolder {
  home: string;
  password: string;
  run(program: string, ...args: string[]): Promise<void>;
  write(path: string, text: string): void;
}

export interface InstalledCluster {
  url: string;
  /** The URL without the password, for command-line arguments, which every account of this machine can read. */
  publicUrl: string;
  stop(): Promise<void>;
}

export function openPostgresFolder(running: AsyncDisposableStack, binaries: string): PostgresFolder {
  const account = otherAccount();
  const outside = mkdtempSync(join(tmpdir(), 'tillhook-backup-'));
  running.defer(() => rmSync(outside, { recursive: true, force: true }));
  openToOthers(outside);
  const home = join(outside, 'home');
  mkdirSync(home, { mode: 0o700 });
  giveTo(account, [home]);
  const password = randomBytes(24).toString('base64url');
  const env = { ...process.env, PGPASSWORD: password };
  return {
    home,
    password,
    async run(program, ...args) {
      await run(join(binaries, program), args, { ...account, cwd: home, env, maxBuffer: 1e8 });
    },
    write(path, text) {
      writeFileSync(path, text, { mode: 0o600 });
      giveTo(account, [path]);
    },
  };
}

export async function createCluster(folder: PostgresFolder, name: string): Promise<void> {
  const { home, password, run } = folder;
  const passwordFile = join(home, 'password');
  folder.write(passwordFile, password);
  const settings = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--username=postgres', '--encoding=UTF8'];
  await run('initdb', `--pgdata=${join(home, name)}`, ...settings, '--locale=C');
}

export async function startCluster(
  running: AsyncDisposableStack,
  { run, home, password }: PostgresFolder,
  { name, settings = {} }: { name: string; settings?: Record<string, string> },
): Promise<InstalledCluster> {
  const directory = join(home, name);
  const port = await freePort();
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: "''", max_connections: 200, ...settings };
  const flags = Object.entries(all).map(([key, value]) => `-c ${key}=${value}`);
  // Without a log file, the processes of Postgres would keep the output of this process open.
  await run('pg_ctl', '-D', directory, '-w', '-l', join(home, `${name}.log`), '-o', flags.join(' '), 'start');
  let isRunning = true;
  const stop = async () => {
    if (!isRunning) return;
    isRunning = false;
    await run('pg_ctl', '-D', directory, '-w', '-m', 'immediate', 'stop');
  };
  running.defer(stop);
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${port}/postgres`;
  return { url: urlOf(`postgres:${password}`), publicUrl: urlOf('postgres'), stop };
}
