import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { findProgram } from '@tillhook/test/support/programs/installed-programs.ts';
import { quantile } from '../../support/spread.ts';
import { comparePayments, wrongPayments } from '../delivery-rows.ts';
import { checkOutRelease, type EarlierRelease, migrateWith } from '../earlier-release.ts';
import { registerEndpoints } from '../endpoints.ts';
import type { Ending } from '../outcome.ts';
import { failedCalls, type Payers, startPayers } from '../payments.ts';
import { newProducer } from '../producer.ts';
import { compareRefunds, endRefunds } from '../refunds.ts';
import type { Server } from '../server.ts';
import { newMerchant, type Stage, startReceiver, withLongLease } from '../stage.ts';
import { tally, waitUntilDelivered } from '../tally.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type ClaimedRows, listClaimedRows, recordWritersAndClaimers } from './writers-and-claimers.ts';

interface Scale {
  from: string | undefined;
  loadMs: number;
}

type Version = 'old' | 'new';

interface Member {
  role: 'api' | 'worker';
  version: Version;
  server: Server;
}

/** The load gives all processes work, and still lets a machine with two cores start new processes. */
const load = { payers: 4, everyMs: 150 };
const refuses = 0.05;
/** Retries are so fast that they do not determine the 99th percentile of the latency. */
const retryDelays = '100,100,100';
const maxLateMs = 1000;
/** The number of ports is enough for two API processes that are each replaced twice. */
const apiPorts = 6;

/** Replaces each process of the earlier version under load, and later goes back to the earlier version. */
export async function upgrade(shared: Stage, { from, loadMs }: Scale): Promise<Ending> {
  const scenario = 'upgrade and back under load, process by process, with the version before';
  const program = findProgram('haproxy', 'HAPROXY');
  if (!program) return { scenario, notRun: 'there is no HAProxy: install it, or set HAPROXY' };
  const release = await checkOutRelease(shared.running, from);
  if (typeof release === 'string') return { scenario, notRun: release };
  const stage = await openEmptyDatabase(shared);
  await migrateWith(stage.databaseUrl, stage.masterKeys, release.main);
  await recordWritersAndClaimers(stage);
  const fleet = await startFleet(stage, release);
  const balancer = await startBalancer(stage.running, { program, ports: fleet.ports });
  const receiver = await startReceiver(stage, { refuses });
  const url = `${receiver.greeting}/webhooks`;
  const producer = await newProducer(stage, { url, endpoints: 20 });
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url, count: 1 });
  const payers = startPayers(stage, balancer, { ...shop, ...load });
  const queueing = producer.keepQueueing();
  const settle = async () => {
    await payers.waitForPayments();
    await sleep(loadMs);
  };

  await settle();
  await migrateWith(stage.databaseUrl, stage.masterKeys);
  await settle();
  for (const version of ['new', 'old'] as const) await fleet.replaceAll(version, settle);

  await Promise.all([payers.stop(), queueing.stop()]);
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, [producer.merchantId, shop.id]);
  const { counts, latenciesMs } = await tally(stage, { receiver, producers: [producer, payers, payers.refunds] });
  const refunds = await compareRefunds(stage, payers.refunds);
  const rows = fleet.countAcrossVersions(await listClaimedRows(stage));
  const lateMs = quantile(latenciesMs, 0.99);
  // `Math.max(...latenciesMs)` throws an error for more than about 100,000 values.
  const slowestMs = latenciesMs.reduce((slowest, each) => Math.max(slowest, each), 0);
  return {
    scenario: `upgrade from ${release.commit} (${release.newMigrations.length} migrations) and back under load, process by process`,
    ...counts,
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `${balancer.answered()} calls, ${balancer.failures.length} of them answered 500 or higher or not at all`,
      `p99 from commit to receipt ${lateMs.toFixed(0)} ms (the slowest ${slowestMs.toFixed(0)} ms)`,
      `the earlier version claimed ${rows.oldClaimedNew} rows of this one, and this one ${rows.newClaimedOld} of the earlier`,
      `${payers.committed.size} payments were acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      refunds.note,
    ],
    broken: [
      ...counts.broken,
      ...refunds.broken,
      ...(await wrongAnswers(stage, { balancer, payers })),
      ...(fleet.badEnds.length > 0 ? [`processes ended with ${fleet.badEnds} after SIGTERM`] : []),
      ...(rows.oldClaimedNew === 0 ? ['no process of the earlier version claimed a row of this one'] : []),
      ...(rows.newClaimedOld === 0 ? ['no process of this version claimed a row of the earlier one'] : []),
      ...(lateMs > maxLateMs ? [`p99 of deliveries is ${lateMs.toFixed(0)} ms late`] : []),
    ],
  };
}

/** Creates a new database, because the database of the run is already migrated to this version. */
async function openEmptyDatabase(shared: Stage): Promise<Stage> {
  await shared.database.query('drop database if exists upgrade with (force)');
  await shared.database.query('create database upgrade');
  const url = new URL(shared.databaseUrl);
  url.pathname = '/upgrade';
  return shared.on(url.href);
}

async function startFleet(stage: Stage, release: EarlierRelease) {
  const free = await Promise.all(Array.from({ length: apiPorts }, freePort));
  const ports = [...free];
  const versions = new Map<string, Version>();
  const badEnds: (number | null)[] = [];

  async function start(role: Member['role'], version: Version): Promise<Member> {
    const env = { ...withLongLease, DELIVERY_RETRY_DELAYS_MS: retryDelays, TRUST_PROXY: '1' };
    const PORT = role === 'api' ? String(free.pop()) : '0';
    const main = version === 'old' ? release.main : undefined;
    const server = await stage.startServer(role, { ...env, PORT }, main);
    versions.set(server.name, version);
    return { role, version, server };
  }

  const roles = ['api', 'worker', 'api', 'worker'] as const;
  let members: Member[] = await Promise.all(roles.map((role) => start(role, 'old')));

  async function replaceAll(version: Version, settle: () => Promise<void>): Promise<void> {
    for (const member of members) {
      const successor = await start(member.role, version);
      const code = await member.server.stop();
      if (code !== 0) badEnds.push(code);
      members = members.map((other) => (other === member ? successor : other));
      await settle();
    }
  }

  function countAcrossVersions(claimed: readonly ClaimedRows[]) {
    const count = (writer: Version, claimer: Version) =>
      claimed
        .filter((rows) => versions.get(rows.writer) === writer && versions.get(rows.claimer) === claimer)
        .reduce((sum, { deliveries }) => sum + deliveries, 0);
    return { oldClaimedNew: count('new', 'old'), newClaimedOld: count('old', 'new') };
  }

  return { ports, badEnds, replaceAll, countAcrossVersions };
}

async function wrongAnswers(
  stage: Stage,
  { balancer, payers }: { balancer: Balancer; payers: Payers },
): Promise<string[]> {
  const compared = await comparePayments(stage.database, payers.merchantId);
  return [
    ...(balancer.failures.length > 0
      ? [`${balancer.failures.length} calls failed, such as ${balancer.failures[0]}`]
      : []),
    ...failedCalls(payers),
    ...(balancer.answered() === 0 ? ['the proxy logged no call'] : []),
    ...wrongPayments(compared, payers.committed),
  ];
}
