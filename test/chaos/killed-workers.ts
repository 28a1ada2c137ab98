import { setTimeout as sleep } from 'node:timers/promises';
import { countPending, owe } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import type { Bound, Outcome } from './outcome.ts';
import { leaseMs, newMerchant, type Stage, startReceiver } from './stage.ts';
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
  const [receiver, ...workers] = await Promise.all([
    startReceiver(stage, { delayMs: answerMs }),
    stage.startServer('worker'),
    stage.startServer('worker'),
  ]);
  const { id } = await newMerchant(stage);
  const endpointIds = await registerEndpoints(stage, id, { url: `${receiver.greeting}/webhooks`, count: 20 });

  const restarts: Promise<void>[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const next = sleep(everyMs);
    // Its predecessor may not have finished starting: then this one is killed as soon as it has.
    const victims = kill % oneForBoth === oneForBoth - 1 ? [0, 1] : [kill % 2];
    for (const index of victims) await restarts[index];
    await owe(stage.database, endpointIds, Math.ceil(deliveries / kills));
    await sleep(Math.random() * longestLifeMs);
    await Promise.all(victims.map((index) => workers[index]?.kill()));
    for (const index of victims) restarts[index] = workers[index]?.restart() ?? Promise.resolve();
    await next;
  }
  await Promise.all(restarts);
  const waiting = await countPending(stage.database, [id]);
  const recoveredSeconds = await untilDelivered(stage, [id]);

  const { counts } = await tally(stage, { receiver, merchantIds: [id] });
  return {
    scenario: `kill −9 of one or both of two workers, ${kills} times`,
    ...counts,
    duplicates: duplicatesAfter(stage, kills + Math.floor(kills / oneForBoth)),
    recoveredSeconds,
    recoversWithinSeconds: 10 + leaseMs / 1000 + waiting / slowestPerSecond,
    notes: [`${waiting} still waited when the last two were up`],
  };
}

/** How many times what may be in flight is answered and not recorded at most, before nothing more is sent. */
const unrecordedPerFlight = 4;

/** Sent and not recorded when a worker goes: what is in flight, and what was answered and is not written down yet. */
export function duplicatesAfter({ inFlight }: Stage, ends: number): Bound {
  const unrecorded = unrecordedPerFlight * inFlight;
  return {
    most: ends * (inFlight + unrecorded),
    because: `${ends} × (${inFlight} in flight + ${unrecorded} answered and not yet recorded)`,
  };
}
