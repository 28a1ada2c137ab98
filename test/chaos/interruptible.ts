import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { openCluster } from '@tillhook/server/src/database/embedded-cluster.ts';
import { migrate } from '@tillhook/server/src/database/migrate.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import { startCuttableProxy } from '../support/database/cuttable-proxy.ts';
import { freePort } from '../support/network/free-port.ts';

/** Something that servers need, and that a scenario takes away from them and gives back at the same address. */
export interface Interruptible {
  url: string;
  /** In how many ways it can go away. They are taken in turn. */
  ways: readonly string[];
  leave(way: string): Promise<void>;
  comeBack(): Promise<void>;
}

const patienceMs = 30_000;
const pauseMs = 100;

/** A migrated Postgres in a directory that goes with it, stopped by itself or by kill −9 of its first process. */
export async function startPostgres(running: AsyncDisposableStack): Promise<Interruptible> {
  const home = temporaryDirectory(running);
  const cluster = await openCluster(home, { port: String(await freePort()), max_connections: '200' });
  await cluster.initialise();
  await cluster.start();
  running.defer(async () => {
    if (await cluster.isRunning()) await cluster.stop();
  });
  const url = cluster.url('postgres');
  await migrateSchema(url);
  return {
    url,
    ways: ['stop', 'kill'],
    async leave(way) {
      if (way === 'stop') return cluster.stop();
      process.kill(Number(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    },
    // The connections of one that was killed take a moment to notice, and hold its memory until then.
    comeBack: () => untilItWorks(() => cluster.start()),
  };
}

/** The MongoDB-protocol server of `test/services/mongo`, stopped by kill −9. */
export async function startMongodb(running: AsyncDisposableStack, program: string): Promise<Interruptible> {
  const home = temporaryDirectory(running);
  const address = `127.0.0.1:${await freePort()}`;
  let server: ChildProcess | undefined;
  async function comeBack(): Promise<void> {
    server = spawn(program, [address, home], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(server.stdout as NodeJS.ReadableStream, 'data');
  }
  async function leave(): Promise<void> {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  }
  await comeBack();
  running.defer(leave);
  return { url: `mongodb://${address}/schedule`, ways: ['kill'], leave, comeBack };
}

/** One that others use as well: only the way there is taken away. */
export async function interruptWayTo(url: string, running: AsyncDisposableStack): Promise<Interruptible> {
  const proxy = await startCuttableProxy(new URL(url));
  let isThere = true;
  const leave = async () => {
    isThere = false;
    await proxy.cut();
  };
  running.defer(async () => {
    if (isThere) await leave();
  });
  return {
    url: proxy.reach(url),
    ways: ['cut'],
    leave,
    async comeBack() {
      await proxy.restore();
      isThere = true;
    },
  };
}

/** Keeps every connection and says nothing: what was sent is lost, or comes late. */
export async function silenceWayTo(url: string, running: AsyncDisposableStack): Promise<Interruptible> {
  const proxy = await startCuttableProxy(new URL(url));
  running.defer(() => proxy.cut());
  return {
    url: proxy.reach(url),
    ways: ['hang', 'stall'],
    async leave(way) {
      if (way === 'hang') proxy.hang();
      else proxy.stall();
    },
    comeBack: () => proxy.restore(),
  };
}

async function migrateSchema(url: string): Promise<void> {
  const orm = await openOrm(reachDatabase(url), 2);
  await migrate(orm);
  await orm.close();
}

async function untilItWorks(step: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function temporaryDirectory(running: AsyncDisposableStack): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-chaos-'));
  // As root, Postgres runs under another account, which must be able to get there.
  chmodSync(home, 0o755);
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
