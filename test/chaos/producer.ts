import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import { insertKnown } from '../bench/owe.ts';
import { registerEndpoints } from './endpoints.ts';
import { newMerchant, type Stage } from './stage.ts';

/** What a producer of events was told, written down as each answer came. What is lost is counted against it. */
export interface Told {
  merchantId: string;
  /** References of events whose commit was answered. The receiver must get every one. */
  committed: Set<string>;
  /** References of events whose commit got no answer. The receiver must get those that the database holds, and no other. */
  inDoubt: Set<string>;
}

export interface Producer extends Told {
  /** Commits so many events at once, each owed to one endpoint after the other, and wakes the workers. */
  owe(count: number): Promise<void>;
  /** Goes on committing a few at a time, also while the database is away, until it is told to stop or the stage ends. */
  keepOwing(): { stop(): Promise<void> };
}

const producersAtOnce = 2;
const perCommit = 2;
const pauseMs = 50;

/** A new merchant, with so many endpoints at one address, whose events are committed here. Their references are the ids of the deliveries. */
export async function newProducer(
  stage: Stage,
  { url, mode = 'test', endpoints }: { url: string; mode?: Mode; endpoints: number },
): Promise<Producer> {
  const { id: merchantId } = await newMerchant(stage);
  const endpointIds = await registerEndpoints(stage, merchantId, { url, mode, count: endpoints });
  const committed = new Set<string>();
  const inDoubt = new Set<string>();
  let turn = randomInt(endpointIds.length);

  async function owe(count: number): Promise<void> {
    const owed = Array.from({ length: count }, () => ({
      id: newId(),
      event_id: newId(),
      endpoint_id: endpointIds[turn++ % endpointIds.length] ?? '',
    }));
    for (const { id } of owed) inDoubt.add(id);
    await insertKnown(stage.producing, owed);
    for (const { id } of owed) {
      inDoubt.delete(id);
      committed.add(id);
    }
    // Without it the workers look by themselves, seconds later.
    await stage.producing.query('notify tillhook_delivery').catch(() => {});
  }

  function keepOwing() {
    let isStopped = false;
    const oweInTurn = async () => {
      for (; !isStopped; await sleep(pauseMs)) await owe(perCommit).catch(() => {});
    };
    const owing = Promise.all(Array.from({ length: producersAtOnce }, oweInTurn));
    const stop = async () => {
      isStopped = true;
      await owing;
    };
    stage.running.defer(stop);
    return { stop };
  }

  return { merchantId, committed, inDoubt, owe, keepOwing };
}
