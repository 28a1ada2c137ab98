import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type Account, giveTo } from '@tillhook/test/support/programs/other-account.ts';
import { Client } from 'pg';
import type { DelayingProxy } from './delaying-proxy.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { type ClusterSettings, type NodeAddress, patroniSettings } from './patroni-settings.ts';
import { processesOf, signalAll } from './process-tree.ts';

export interface PatroniNode {
  name: string;
  start(): void;
  kill(): void;
  /** Stops all processes with SIGSTOP, like a paused virtual machine. Their connections stay open and silent. */
  pause(): void;
  resume(): void;
  isPrimary(): Promise<boolean>;
  members(): Promise<Member[]>;
  log(): string;
  rewinds(): number;
}

export interface Member {
  name: string;
  role: string;
  state: string;
  timeline: number;
}

export interface NodeSettings extends ClusterSettings {
  programs: PatroniPrograms;
  account: Account;
  proxy: DelayingProxy;
  home: string;
}

const askMs = 2000;

export function createNode(address: NodeAddress, settings: NodeSettings): PatroniNode {
  const { programs, account, home, password, proxy } = settings;
  const { name, postgresPort, restPort } = address;
  const [settingsFile, logFile] = [`${home}/patroni.yaml`, `${home}/patroni.log`];
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(settingsFile, patroniSettings(address, settings, home), { mode: 0o600 });
  const log = openSync(logFile, 'a');
  giveTo(account, [home, settingsFile, logFile]);
  const readLog = () => readFileSync(logFile, 'utf8');
  let paused: number[] = [];
  return {
    name,
    start() {
      const { PATH = '' } = process.env;
      spawn(programs.patroni, [settingsFile], { ...account, env: { PATH, HOME: home }, stdio: ['ignore', log, log] });
    },
    kill() {
      proxy.dropConnections();
      // The search is repeated, because a process may have started a child process after the first search.
      for (let time = 0; time < 2; time += 1) signalAll(processesOf(home), 'SIGKILL');
    },
    pause() {
      paused = processesOf(home);
      signalAll(paused, 'SIGSTOP');
    },
    resume: () => signalAll(paused, 'SIGCONT'),
    isPrimary: () => isPrimary({ port: postgresPort, password }),
    async members() {
      const url = `http://127.0.0.1:${restPort}/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(askMs) }).catch(() => null);
      return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : [];
    },
    log: readLog,
    rewinds: () => readLog().split('INFO: running pg_rewind from dbname').length - 1,
  };
}

export async function isPrimary({ port, password }: { port: number; password: string }): Promise<boolean> {
  const client = new Client({
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select not pg_is_in_recovery() as "isPrimary"');
    return rows[0].isPrimary;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
