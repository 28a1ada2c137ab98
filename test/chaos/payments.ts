import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook } from '@tillhook/sdk';
import { payByForm } from '../support/pages/hosted-page.ts';
import type { Told } from './producer.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

/**
 * Customers who pay one after the other, also while the API is killed and restarted. A payment is committed when the API said
 * that it had completed, and in doubt as long as it said anything else, or nothing.
 */
export interface Payers extends Told {
  /** Payments that wait for an answer of the API now. */
  underWay(): number;
  /** Resolves when so many more were acknowledged: it is under way again. Throws when that never comes. */
  areAtWork(): Promise<void>;
  stop(): Promise<void>;
}

const payersAtOnce = 8;
const pauseMs = 20;
/** After a payment that failed. */
const refusedPauseMs = 200;
const atWork = 16;
const patienceMs = 60_000;
/** Of so many payments one is made by a card on the hosted page, and the others by the test helper. */
const oneByCard = 4;

/** Begins at once and goes on until it is stopped, or the stage ends. */
export function startPayers({ running }: Stage, api: Server, shop: { id: string; key: string }): Payers {
  const { id: merchantId, key } = shop;
  const committed = new Set<string>();
  const inDoubt = new Set<string>();
  let underWay = 0;
  let begun = 0;
  let isStopped = false;

  async function payInTurn(): Promise<void> {
    while (!isStopped) {
      begun += 1;
      const reference = `order-${begun}`;
      inDoubt.add(reference);
      underWay += 1;
      const isPaid = await pay(api, { key, reference, isByCard: begun % oneByCard === 0 });
      underWay -= 1;
      if (isPaid && inDoubt.delete(reference)) committed.add(reference);
      await sleep(isPaid ? pauseMs : refusedPauseMs);
    }
  }

  const paying = Promise.all(Array.from({ length: payersAtOnce }, payInTurn));
  const stop = async () => {
    isStopped = true;
    await paying;
  };
  running.defer(stop);
  return {
    merchantId,
    committed,
    inDoubt,
    underWay: () => underWay,
    async areAtWork() {
      const wanted = committed.size + atWork;
      for (const deadline = Date.now() + patienceMs; committed.size < wanted; await sleep(pauseMs)) {
        if (Date.now() > deadline) throw new Error('No payment goes through any more.');
      }
    },
    stop,
  };
}

/** Whether the API said that it was paid. */
async function pay(
  { url }: Server,
  { key, reference, isByCard }: { key: string; reference: string; isByCard: boolean },
): Promise<boolean> {
  const client = new Tillhook(key, { baseUrl: url, maxRetries: 0, timeoutMs: 10_000 });
  try {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });
    if (!isByCard) return (await client.testHelpers.completePayment(reference)).status === 'completed';
    // Its address is the public one, which a server that was started again does not have.
    const { pathname } = new URL(data.checkoutUrl);
    const { status } = await payByForm(`${url}${pathname}`, '4242424242424242');
    return status === 200 && (await client.payments.get(reference)).status === 'completed';
  } catch {
    return false;
  }
}
