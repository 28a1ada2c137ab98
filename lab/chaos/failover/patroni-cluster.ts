import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { type Account, giveTo, otherAccount } from '@tillhook/test/support/programs/other-account.ts';
import { migrateSchema, temporaryDirectory } from '../interruptible.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { createNode, isPrimary, type Member, type PatroniNode } from './patroni-node.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { haproxySettings, type NodeAddress } from './patroni-settings.ts';

export interface PatroniCluster {
  url: string;
  killPrimary(): Promise<void>;
  pausePrimary(): Promise<void>;
  waitForPromotion(): Promise<void>;
  waitForProxy(): Promise<void>;
  rejoin(): Promise<void>;
  /** The number of times that `pg_rewind` removed changes that only a lost primary had. */
  rewinds(): number;
}

const nodeCount = 3;
const lateMs = 10;
const pauseMs = 50;
const patienceMs = 90_000;

export async function startPatroniCluster(
  running: AsyncDisposableStack,
  programs: PatroniPrograms,
): Promise<PatroniCluster> {
  const home = temporaryDirectory(running);
  const account = otherAccount();
  const password = randomBytes(24).toString('base64url');
  const etcdPort = await startEtcd(running, programs.etcd, { home, account });
  const shared = { programs, account, password, etcdPort, postgresPrograms: programs.postgres };
  const addresses: NodeAddress[] = [];
  const nodes: PatroniNode[] = [];
  for (let number = 1; number <= nodeCount; number += 1) {
    const name = `node${number}`;
    const [postgresPort, restPort] = await Promise.all([freePort(), freePort()]);
    const proxy = await startDelayingProxy(running, postgresPort, lateMs);
    const address = { name, postgresPort, restPort, replicationPort: proxy.port };
    const node = createNode(address, { ...shared, proxy, home: join(home, name) });
    running.defer(() => node.kill());
    addresses.push(address);
    nodes.push(node);
  }
  for (const node of nodes) node.start();
  const port = await startHaproxy(running, programs.haproxy, { home, addresses });
  await waitUntilAllFollow(nodes);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await waitFor('HAProxy connects to no primary', () =>
    migrateSchema(url).then(
      () => true,
      () => false,
    ),
  );
  let lost: PatroniNode | undefined;
  let bringBack = (_node: PatroniNode) => {};
  return {
    url,
    async killPrimary() {
      lost = await primaryOf(nodes);
      lost.kill();
      bringBack = (node) => node.start();
    },
    async pausePrimary() {
      lost = await primaryOf(nodes);
      lost.pause();
      bringBack = (node) => node.resume();
    },
    async waitForPromotion() {
      const others = nodes.filter((node) => node !== lost);
      await waitFor('no standby becomes the primary', () => isAny(others, (node) => node.isPrimary()));
    },
    waitForProxy: () => waitFor('HAProxy does not connect to the new primary', () => isPrimary({ port, password })),
    async rejoin() {
      if (lost) bringBack(lost);
      await waitUntilAllFollow(nodes);
    },
    rewinds: () => nodes.reduce((sum, node) => sum + node.rewinds(), 0),
  };
}

async function startEtcd(
  running: AsyncDisposableStack,
  program: string,
  { home, account }: { home: string; account: Account },
): Promise<number> {
  const [port, peerPort] = await Promise.all([freePort(), freePort()]);
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const data = join(home, 'etcd');
  mkdirSync(data, { mode: 0o700 });
  giveTo(account, [data]);
  const flags = {
    name: 'etcd1',
    'data-dir': data,
    'log-level': 'error',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  endWith(running, spawn(program, args, { ...account, stdio: 'ignore' }));
  const isHealthy = async () => (await fetch(`${client}/health`).catch(() => null))?.ok === true;
  await waitFor('etcd does not start', isHealthy);
  return port;
}

async function startHaproxy(
  running: AsyncDisposableStack,
  program: string,
  { home, addresses }: { home: string; addresses: readonly NodeAddress[] },
): Promise<number> {
  const port = await freePort();
  const settingsFile = join(home, 'haproxy.cfg');
  writeFileSync(settingsFile, haproxySettings(port, addresses));
  endWith(running, spawn(program, ['-db', '-f', settingsFile], { ...otherAccount(), stdio: 'ignore' }));
  return port;
}

function endWith(running: AsyncDisposableStack, program: ChildProcess): void {
  const ended = once(program, 'exit');
  running.defer(async () => {
    program.kill('SIGKILL');
    await ended;
  });
}

async function primaryOf(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  for (const node of nodes) if (await node.isPrimary()) return node;
  throw new Error('No node is the primary.');
}

async function waitUntilAllFollow(nodes: readonly PatroniNode[]): Promise<void> {
  const areFollowing = () => isAny(nodes, async (node) => isReplicating(await node.members()));
  await waitFor('the nodes do not form a cluster', areFollowing).catch((cause) => {
    throw new Error(`The last lines of the nodes' logs:\n${nodes.map(lastLines).join('\n')}`, { cause });
  });
}

const lastLines = ({ name, log }: PatroniNode) => `${name}:\n${log().trimEnd().split('\n').slice(-12).join('\n')}`;

function isReplicating(members: readonly Member[]): boolean {
  const roles = new Set(members.map(({ role }) => role));
  const timelines = new Set(members.map(({ timeline }) => timeline));
  const areRunning = members.every(({ state }) => state === 'running' || state === 'streaming');
  return (
    members.length === nodeCount &&
    roles.has('leader') &&
    roles.has('sync_standby') &&
    areRunning &&
    timelines.size === 1
  );
}

async function isAny(nodes: readonly PatroniNode[], is: (node: PatroniNode) => Promise<boolean>): Promise<boolean> {
  return (await Promise.all(nodes.map(is))).includes(true);
}

async function waitFor(otherwise: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await sleep(pauseMs))
    if (Date.now() > deadline) throw new Error(`For ${patienceMs / 1000} seconds, ${otherwise}.`);
}
