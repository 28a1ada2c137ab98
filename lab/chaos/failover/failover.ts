import type { Interruptible } from '../interruptible.ts';
import type { Ending } from '../outcome.ts';
import { openStage, type Stage } from '../stage.ts';
import { type Scale, stoppedPostgres } from '../stopped-postgres.ts';
import { type PatroniCluster, startPatroniCluster } from './patroni-cluster.ts';
import { findPatroni } from './patroni-programs.ts';

const recoversWithinSeconds = 15;
/** Rate limits count calls in an unlogged table, which is empty on a new primary. */
const manyCalls = { RATE_LIMITS: 'test:100000/100000,live:100000/100000' };

const kills = 5;
/** A paused primary is resumed later, and may for a moment still act as the primary. */
const ways = [...Array.from({ length: kills }, () => 'kill'), 'pause'];

/** Kills the primary of three Postgres servers under Patroni while customers pay, as if its machine lost power. */
export async function failover(stage: Stage, scale: Omit<Scale, 'outages'>): Promise<Ending> {
  const scenario = `the primary of three Postgres under Patroni killed ${kills} times, and paused once, while customers pay`;
  const programs = findPatroni();
  if ('missing' in programs) return { scenario, notRun: `programs are missing: ${programs.missing.join(', ')}` };
  const cluster = await startPatroniCluster(stage.running, programs);
  const { postgres, times } = interruptedPrimary(cluster);
  const { startMongodb, running } = stage;
  const clustered = openStage(running, { databaseUrl: cluster.url, postgres, startMongodb, env: manyCalls });

  const outcome = await stoppedPostgres(clustered, { ...scale, outages: ways.length });

  const maxOf = (seconds: (time: Times) => number) => Math.max(...times.map(seconds)).toFixed(1);
  return {
    ...outcome,
    scenario,
    recoveredSeconds: Math.max(...times.map(({ toRecovery, toPromotion }) => toRecovery - toPromotion)),
    recoversWithinSeconds,
    notes: [
      `a new primary took writes at most ${maxOf(({ toPromotion }) => toPromotion)} s after the loss, and HAProxy connected to it ${maxOf(({ toPromotion, toProxy }) => toProxy - toPromotion)} s later`,
      `all that waited was delivered at most ${maxOf(({ toRecovery }) => toRecovery)} s after the loss`,
      `${cluster.rewinds()} of the lost nodes needed pg_rewind to follow the new primary, and all followed it before the next fault`,
      ...outcome.notes,
    ],
  };
}

interface Times {
  toPromotion: number;
  toProxy: number;
  toRecovery: number;
}

function interruptedPrimary(cluster: PatroniCluster): { postgres: Interruptible; times: Times[] } {
  const times: Times[] = [];
  const latest: Times = { toPromotion: 0, toProxy: 0, toRecovery: 0 };
  let lostAt = 0;
  const sinceLoss = () => (performance.now() - lostAt) / 1000;
  const postgres: Interruptible = {
    url: cluster.url,
    ways,
    async goAway(way) {
      await (way === 'kill' ? cluster.killPrimary() : cluster.pausePrimary());
      lostAt = performance.now();
    },
    async comeBack() {
      await cluster.waitForPromotion();
      latest.toPromotion = sinceLoss();
      await cluster.waitForProxy();
      latest.toProxy = sinceLoss();
    },
    async repair() {
      times.push({ ...latest, toRecovery: sinceLoss() });
      await cluster.rejoin();
    },
  };
  return { postgres, times };
}
