import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { openCluster } from '@tillhook/server/src/platform/database/embedded/cluster.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import { startCuttableProxy } from '@tillhook/test/support/network/cuttable-proxy.ts';
import { freePort } from '@tillhook/test/support/network/free-port.ts';

export interface Interruptible {
  url: string;
  ways: readonly string[];
  goAway(way: string): Promise<void>;
  comeBack(): Promise<void>;
  /** Called after the recovery and before the next interruption. */
  repair?(): Promise<void>;
}

const patienceMs = 30_000;
const pauseMs = 100;
const keptCharacters = 2000;

export async function startPostgres(running: AsyncDisposableStack): Promise<Interruptible> {
  const home = temporaryDirectory(running);
  const cluster = await openCluster(home, { port: String(await freePort()), max_connections: '200' });
  await cluster.initialise();
  await cluster.start();
  running.defer(async () => {
    // A Postgres that was just killed may still seem to run, although it cannot be stopped.
    if (await cluster.isRunning()) await cluster.stop().catch((error) => rethrowIf(cluster.isRunning(), error));
  });
  const url = cluster.url('postgres');
  await migrateSchema(url);
  return {
    url,
    ways: ['stop', 'kill'],
    async goAway(way) {
      if (way === 'stop') return cluster.stop();
      process.kill(Number(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    },
    // A killed Postgres leaves processes that hold its shared memory for a while, so the start is retried.
    comeBack: () => retryUntilDone(() => cluster.start()),
  };
}

export async function startMongodb(running: AsyncDisposableStack, program: string): Promise<Interruptible> {
  const home = temporaryDirectory(running);
  const port = await freePort();
  const isMongod = parse(program).name === 'mongod';
  const args = isMongod
    ? ['--dbpath', home, '--port', String(port), '--bind_ip', '127.0.0.1']
    : [`127.0.0.1:${port}`, home];
  let server: ChildProcess | undefined;
  async function comeBack(): Promise<void> {
    server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    await waitUntilListening(server, port);
  }
  async function leave(): Promise<void> {
    if (!server || hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  }
  await comeBack();
  running.defer(leave);
  return { url: `mongodb://127.0.0.1:${port}/schedule`, ways: ['kill'], goAway: leave, comeBack };
}

async function waitUntilListening(program: ChildProcess, port: number): Promise<void> {
  let failure: Error | undefined;
  program.on('error', (error) => {
    failure = error;
  });
  let output = '';
  const keepEnd = (text: Buffer) => {
    output = `${output}${text}`.slice(-keptCharacters);
  };
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', keepEnd);
  for (const deadline = Date.now() + patienceMs; !(await acceptsConnections(port)); await sleep(pauseMs)) {
    const { exitCode, signalCode, spawnfile } = program;
    if (failure) throw new Error(`Failed to start ${spawnfile}.`, { cause: failure });
    if (hasEnded(program))
      throw new Error(`${spawnfile} ended with ${exitCode ?? signalCode} during its start: ${output.trim()}`);
    if (Date.now() > deadline) throw new Error(`${spawnfile} does not accept connections at port ${port}.`);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Cuts the connections at a proxy, because other tests also use the server. */
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
    goAway: leave,
    async comeBack() {
      await proxy.restore();
      isThere = true;
    },
  };
}

/** Connections stay open, but their bytes are lost or arrive late. */
export async function silenceWayTo(url: string, running: AsyncDisposableStack): Promise<Interruptible> {
  const proxy = await startCuttableProxy(new URL(url));
  running.defer(() => proxy.cut());
  return {
    url: proxy.reach(url),
    ways: ['hang', 'stall'],
    async goAway(way) {
      if (way === 'hang') proxy.hang();
      else proxy.stall();
    },
    comeBack: () => proxy.restore(),
  };
}

export async function migrateSchema(url: string): Promise<void> {
  const orm = await openOrm(reachDatabase(url), 2);
  await migrate(orm);
  await orm.close();
}

async function rethrowIf(isWrong: Promise<boolean>, error: unknown): Promise<void> {
  if (await isWrong) throw error;
}

async function retryUntilDone(step: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

export function temporaryDirectory(running: AsyncDisposableStack): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-chaos-'));
  // If the run has started as root, Postgres runs under another account, which needs access to the directory.
  chmodSync(home, 0o755);
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
