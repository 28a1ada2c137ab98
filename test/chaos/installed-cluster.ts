import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/network/free-port.ts';
import { giveTo, openToOthers, otherAccount } from '../support/programs/other-account.ts';

const run = promisify(execFile);

/** Programs of an installed Postgres, and a folder in which they write. */
export interface Workshop {
  /** A folder that belongs to the account of Postgres. */
  home: string;
  /** Runs a program of Postgres, under the account that it accepts. */
  run(program: string, ...args: string[]): Promise<void>;
  /** Writes an empty file, which belongs to that account too. */
  touch(path: string): void;
}

export interface InstalledCluster {
  url: string;
  stop(): Promise<void>;
}

/** Opens a folder that is removed at the end. `binaries` is the directory of the programs. */
export function openWorkshop(running: AsyncDisposableStack, binaries: string): Workshop {
  const account = otherAccount();
  const outside = mkdtempSync(join(tmpdir(), 'tillhook-backup-'));
  running.defer(() => rmSync(outside, { recursive: true, force: true }));
  openToOthers(outside);
  const home = join(outside, 'home');
  mkdirSync(home, { mode: 0o700 });
  giveTo(account, [home]);
  return {
    home,
    async run(program, ...args) {
      await run(join(binaries, program), args, { ...account, cwd: home, maxBuffer: 1e8 });
    },
    touch(path) {
      writeFileSync(path, '');
      giveTo(account, [path]);
    },
  };
}

/** Makes an empty cluster in a folder of the workshop. It has an identifier that no other cluster has. */
export async function createCluster({ run, home }: Workshop, name: string): Promise<void> {
  const settings = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  await run('initdb', `--pgdata=${join(home, name)}`, ...settings);
}

/** Starts the cluster in this folder, and stops it at the end. */
export async function startCluster(
  running: AsyncDisposableStack,
  { run, home }: Workshop,
  { name, settings = {} }: { name: string; settings?: Record<string, string> },
): Promise<InstalledCluster> {
  const directory = join(home, name);
  const port = await freePort();
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: "''", max_connections: 200, ...settings };
  const flags = Object.entries(all).map(([key, value]) => `-c ${key}=${value}`);
  // Without a log file, its processes would keep the output of this one open.
  await run('pg_ctl', '-D', directory, '-w', '-l', join(home, `${name}.log`), '-o', flags.join(' '), 'start');
  let isRunning = true;
  const stop = async () => {
    if (!isRunning) return;
    isRunning = false;
    await run('pg_ctl', '-D', directory, '-w', '-m', 'immediate', 'stop');
  };
  running.defer(stop);
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}
