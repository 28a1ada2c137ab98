import { setTimeout as sleep } from 'node:timers/promises';
import { findPrometheus } from '@tillhook/test/support/programs/installed-programs.ts';
import { claimedByAny, createClaimRecord } from '../claims.ts';
import { registerEndpoints } from '../endpoints.ts';
import type { Ending } from '../outcome.ts';
import { startPayers } from '../payments.ts';
import { compareRefunds, endRefunds } from '../refunds.ts';
import { newMerchant, type Stage, startReceiver } from '../stage.ts';
import { tally, waitUntilDelivered } from '../tally.ts';
import { type FiringAlert, type Prometheus, startPrometheus } from './prometheus.ts';

const leaseMs = 10_000;
const alert = 'DatabaseAway';
const calmMs = 15_000;
/** The rule of the alert has `for: 1m`, so that a short outage does not page an operator. */
const firesWithinMs = 90_000;
const resolvesWithinMs = 20_000;
const pauseMs = 250;

/** Stops Postgres while customers pay, until a real Prometheus fires the alert about the database. */
export async function firedAlert(stage: Stage): Promise<Ending> {
  const scenario = 'Postgres stopped until Prometheus fires the alert for it';
  const program = findPrometheus('prometheus');
  if (!program) return { scenario, notRun: 'there is no Prometheus: unpack it as test/services/README.md says' };
  const env = { DELIVERY_LEASE_MS: String(leaseMs), DELIVERY_TIMEOUT_MS: '4000' };
  const [receiver, server] = await Promise.all([startReceiver(stage, { delayMs: 20 }), stage.startServer('all', env)]);
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url: `${receiver.greeting}/webhooks`, count: 1 });
  const prometheus = await startPrometheus(stage.running, {
    program,
    targets: [server.url],
    publicUrl: server.url,
  });
  const watch = watchAlerts(prometheus);
  const payers = startPayers(stage, server, shop);
  const claimed = createClaimRecord();
  await sleep(calmMs);
  const [up, early] = [await prometheus.ask('up{job="tillhook"}'), watch.seen()];

  const before = await claimedByAny(stage);
  await stage.postgres.goAway('stop');
  const fired = await watch.wait(firesWithinMs, (firing) => firing.some(({ name }) => name === alert));
  const link = watch.link(alert);
  const hasRunbook = await leadsToRunbook(link);
  await stage.postgres.comeBack();
  claimed.add([...new Set([...before, ...(await claimedByAny(stage))])]);
  const backAt = new Date();
  const resolved = await watch.wait(resolvesWithinMs, (firing) => firing.every(({ name }) => name !== alert));
  const recoveredSeconds = await waitUntilDelivered(stage, [shop.id], { queuedBefore: backAt });
  await payers.waitForPayments();
  await payers.stop();
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, [shop.id]);
  await watch.stop();

  const { counts } = await tally(stage, { receiver, producers: [payers, payers.refunds], claimed });
  const refunds = await compareRefunds(stage, payers.refunds);
  const others = watch.seen().filter((name) => name !== alert);
  return {
    scenario,
    ...counts,
    recoveredSeconds,
    recoversWithinSeconds: resolvesWithinMs / 1000 + leaseMs / 1000,
    notes: [
      `${alert} fired ${inSeconds(fired)} after Postgres was stopped, and resolved ${inSeconds(resolved)} after it was started again`,
      `its link led to ${link.replace(server.url, '')}`,
      `${payers.committed.size} payments were acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      refunds.note,
    ],
    broken: [
      ...counts.broken,
      ...refunds.broken,
      ...(up === 1 ? [] : ['Prometheus did not reach the server']),
      ...(early.length > 0 ? [`${early} fired while all was well`] : []),
      ...(fired === null ? [`${alert} did not fire within ${firesWithinMs / 1000} s`] : []),
      ...(resolved === null ? [`${alert} did not resolve within ${resolvesWithinMs / 1000} s`] : []),
      ...(others.length > 0 ? [`${others} fired too`] : []),
      ...(hasRunbook ? [] : [`${link} is no runbook`]),
    ],
  };
}

const inSeconds = (ms: number | null) => (ms === null ? 'never' : `${(ms / 1000).toFixed(1)} s`);

function watchAlerts(prometheus: Prometheus) {
  const links = new Map<string, string>();
  let firing: FiringAlert[] = [];
  let isStopped = false;
  async function look(): Promise<void> {
    for (; !isStopped; await sleep(pauseMs)) {
      firing = await prometheus.firing().catch(() => firing);
      for (const { name, runbookUrl } of firing) links.set(name, runbookUrl);
    }
  }
  const looking = look();
  return {
    seen: () => [...links.keys()],
    link: (name: string) => links.get(name) ?? '',
    async wait(patienceMs: number, holds: (firing: readonly FiringAlert[]) => boolean): Promise<number | null> {
      const startedAt = performance.now();
      const elapsedMs = () => performance.now() - startedAt;
      for (; elapsedMs() < patienceMs; await sleep(pauseMs)) if (holds(firing)) return elapsedMs();
      return null;
    },
    async stop() {
      isStopped = true;
      await looking;
    },
  };
}

async function leadsToRunbook(link: string): Promise<boolean> {
  if (!URL.canParse(link)) return false;
  const page = await (await fetch(link)).text();
  return page.includes(` id="${new URL(link).hash.slice(1)}"`);
}
