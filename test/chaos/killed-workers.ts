import { setTimeout as sleep } from 'node:timers/promises';
import { claimedBy, noClaims, noteHolders } from './claims.ts';
import { countPending } from './delivery-rows.ts';
import { killAtWork } from './kill-at-work.ts';
import type { Outcome } from './outcome.ts';
import { newProducer } from './producer.ts';
import type { Question } from './receiver.ts';
import type { Server } from './server.ts';
import { leaseMs, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

interface Scale {
  deliveries: number;
  kills: number;
  /** From one kill to the next. */
  everyMs: number;
}

/** Long enough for a full window to be in flight when a worker dies. */
const answerMs = 20;
/** What is owed anew is being sent by then. */
const longestLifeMs = 250;
/** Of so many kills one is of both workers: nobody is left to go on. */
const oneForBoth = 3;
/** What piled up while they died is drained at this rate at least. */
const slowestPerSecond = 1000;

/**
 * Kill −9 of one of two workers in turn, and now and then of both, each time in the middle of sending what was just owed, and
 * each time another takes its place at once.
 */
export async function killedWorkers(stage: Stage, { deliveries, kills, everyMs }: Scale): Promise<Outcome> {
  await noteHolders(stage);
  const [receiver, ...workers] = await Promise.all([
    startReceiver(stage, { delayMs: answerMs }),
    stage.startServer('worker'),
    stage.startServer('worker'),
  ]);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: 20 });
  const claimed = noClaims();
  let arrived = 0;

  async function begin(): Promise<void> {
    await producer.owe(Math.ceil(deliveries / kills));
    await sleep(Math.random() * longestLifeMs);
  }

  /** Each of them has sent what it has not recorded. */
  async function isUnderWay(victims: readonly Server[]): Promise<boolean> {
    const held = await Promise.all(victims.map((victim) => claimedBy(stage, victim)));
    const sent: string[][] = [];
    for (const arrivedOf of held) sent.push(await receiver.ask<string[]>({ arrivedOf } satisfies Question));
    if (sent.some(({ length }) => length === 0)) return false;
    claimed.add(held.flat());
    arrived += sent.flat().length;
    return true;
  }

  const restarts: Promise<void>[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const next = sleep(everyMs);
    // Its predecessor may not have finished starting: then this one is killed as soon as it has.
    const indexes = kill % oneForBoth === oneForBoth - 1 ? [0, 1] : [kill % 2];
    for (const index of indexes) await restarts[index];
    const victims = workers.filter((_, index) => indexes.includes(index));
    await killAtWork(victims, { begin, isUnderWay: () => isUnderWay(victims) });
    for (const index of indexes) restarts[index] = workers[index]?.restart() ?? Promise.resolve();
    await next;
  }
  await Promise.all(restarts);
  const waiting = await countPending(stage.database, [producer.merchantId]);
  const recoveredSeconds = await untilDelivered(stage, [producer.merchantId]);

  const { counts } = await tally(stage, { receiver, producers: [producer], claimed });
  return {
    scenario: `kill −9 of one or both of two workers, ${kills} times`,
    ...counts,
    recoveredSeconds,
    recoversWithinSeconds: 10 + leaseMs / 1000 + waiting / slowestPerSecond,
    notes: [
      `of what was claimed at the kills, ${arrived} had arrived and were not recorded`,
      `${waiting} still waited when the last two were up`,
    ],
  };
}
