import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import { insertChosenDeliveries } from '../support/queued-deliveries.ts';
import { registerEndpoints } from './endpoints.ts';
import { newMerchant, type Stage } from './stage.ts';

export interface ProducerRecord {
  merchantId: string;
  /** Events whose commit was acknowledged. The receiver must get all these events. */
  committed: Set<string>;
  /** The receiver must get an event whose commit got no response if and only if the event is in the database. */
  inDoubt: Set<string>;
}

export interface Producer extends ProducerRecord {
  queueEvents(count: number): Promise<void>;
  keepQueueing(): { stop(): Promise<void> };
}

const producersAtOnce = 2;
const perCommit = 2;
const pauseMs = 50;

/** The reference of an event is the id of its delivery. */
export async function newProducer(
  stage: Stage,
  { url, mode = 'test', endpoints }: { url: string; mode?: Mode; endpoints: number },
): Promise<Producer> {
  const { id: merchantId } = await newMerchant(stage);
  const endpointIds = await registerEndpoints(stage, merchantId, { url, mode, count: endpoints });
  const committed = new Set<string>();
  const inDoubt = new Set<string>();
  let turn = randomInt(endpointIds.length);

  async function queueEvents(count: number): Promise<void> {
    const deliveries = Array.from({ length: count }, () => ({
      id: newId(),
      event_id: newId(),
      endpoint_id: endpointIds[turn++ % endpointIds.length] ?? '',
    }));
    for (const { id } of deliveries) inDoubt.add(id);
    await insertChosenDeliveries(stage.producing, deliveries);
    for (const { id } of deliveries) {
      inDoubt.delete(id);
      committed.add(id);
    }
    // If the notification fails, the schedule wakes the workers some seconds later.
    await stage.producing.query('notify tillhook_delivery').catch(() => {});
  }

  function keepQueueing() {
    let isStopped = false;
    const queueInTurn = async () => {
      for (; !isStopped; await sleep(pauseMs)) await queueEvents(perCommit).catch(() => {});
    };
    const queueing = Promise.all(Array.from({ length: producersAtOnce }, queueInTurn));
    const stop = async () => {
      isStopped = true;
      await queueing;
    };
    stage.running.defer(stop);
    return { stop };
  }

  return { merchantId, committed, inDoubt, queueEvents, keepQueueing };
}
