import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook, TillhookError } from '@tillhook/sdk';
import { payByForm } from '../support/pages/hosted-page.ts';
import type { ProducerRecord } from './producer.ts';
import { createRefunds, type OnStatus, type Refunds } from './refunds.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

/**
 * Customers who pay one after the other, also while the API is killed and restarted. A payment counts as committed when
 * the API answered that it is completed. After any other answer, or none, it is in doubt. Some of the completed payments
 * are then refunded.
 */
export interface Payers extends ProducerRecord {
  refunds: Refunds;
  /** Statuses that no call may be answered with during a fault: 500 and above, except 503. */
  wrongStatuses: readonly number[];
  /** The number of payments and refunds that now wait for an answer of the API. */
  underWay(): number;
  /** Waits until some more payments were acknowledged, and throws if that takes too long. */
  waitForPayments(): Promise<void>;
  stop(): Promise<void>;
}

const payersAtOnce = 8;
const pauseMs = 20;
/** The pause after a payment that failed. */
const refusedPauseMs = 200;
const atWork = 16;
const patienceMs = 60_000;
/** One of this number of payments is made by card on the hosted page, and the others by the test helper. */
const oneByCard = 4;
/** One of this number of payments is refunded in part. */
const oneRefunded = 3;

/** Starts the customers, who pay until they are stopped or the stage ends. */
export function startPayers({ running }: Stage, api: Server, shop: { id: string; key: string }): Payers {
  const { id: merchantId, key } = shop;
  const committed = new Set<string>();
  const inDoubt = new Set<string>();
  const wrongStatuses: number[] = [];
  const onStatus = (status: number | null) => {
    if (status !== null && status >= 500 && status !== 503) wrongStatuses.push(status);
  };
  const refunds = createRefunds(api, { ...shop, onStatus });
  let underWay = 0;
  let begun = 0;
  let isStopped = false;

  async function payInTurn(): Promise<void> {
    while (!isStopped) {
      const number = ++begun;
      const reference = `order-${number}`;
      inDoubt.add(reference);
      underWay += 1;
      const isPaid = await pay(api, { key, reference, isByCard: number % oneByCard === 0, onStatus });
      if (isPaid && inDoubt.delete(reference)) committed.add(reference);
      if (isPaid && number % oneRefunded === 0) await refunds.refund(reference);
      underWay -= 1;
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
    refunds,
    wrongStatuses,
    underWay: () => underWay,
    async waitForPayments() {
      const wanted = committed.size + atWork;
      for (const deadline = Date.now() + patienceMs; committed.size < wanted; await sleep(pauseMs)) {
        if (Date.now() > deadline) throw new Error('The API acknowledges no payments any more.');
      }
    },
    stop,
  };
}

/** Pays once. Returns whether the API answered that the payment is completed. */
async function pay(
  { url }: Server,
  { key, reference, isByCard, onStatus }: { key: string; reference: string; isByCard: boolean; onStatus: OnStatus },
): Promise<boolean> {
  const client = new Tillhook(key, { baseUrl: url, maxRetries: 0, timeoutMs: 10_000 });
  try {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });
    if (!isByCard) return (await client.testHelpers.completePayment(reference)).status === 'completed';
    // `checkoutUrl` has the public address of the server before its restart. Only the path is still right.
    const { pathname } = new URL(data.checkoutUrl);
    const { status } = await payByForm(`${url}${pathname}`, '4242424242424242');
    onStatus(status);
    return status === 200 && (await client.payments.get(reference)).status === 'completed';
  } catch (error) {
    if (error instanceof TillhookError) onStatus(error.status);
    return false;
  }
}
