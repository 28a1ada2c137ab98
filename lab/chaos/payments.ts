import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook, TillhookError } from '@tillhook/sdk';
import { payByForm } from '@tillhook/test/support/money/hosted-page.ts';
import type { ProducerRecord } from './producer.ts';
import { createRefunds, type OnStatus, type Refunds } from './refunds.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

/**
 * A payment is committed when the API has answered that it is completed. After any other response, or without a
 * response, the payment is in doubt.
 */
export interface Payers extends ProducerRecord {
  refunds: Refunds;
  /** Statuses that the API may not return during a fault: 500 and above, except 503. */
  wrongStatuses: readonly number[];
  /** The number of failed calls for each status. The key null has the number of calls without a response. */
  failures: ReadonlyMap<number | null, number>;
  underWay(): number;
  waitForPayments(): Promise<void>;
  stop(): Promise<void>;
}

export interface Shop {
  id: string;
  key: string;
  payers?: number;
  everyMs?: number;
  prefix?: string;
}

const usualPayers = 8;
const pauseMs = 20;
const refusedPauseMs = 200;
const atWork = 16;
const patienceMs = 60_000;
const oneByCard = 4;
const oneRefunded = 3;

export function startPayers({ running }: Stage, api: Pick<Server, 'url'>, shop: Shop): Payers {
  const { id: merchantId, key, payers = usualPayers, everyMs = 0, prefix = 'order' } = shop;
  const committed = new Set<string>();
  const inDoubt = new Set<string>();
  const wrongStatuses: number[] = [];
  const failures = new Map<number | null, number>();
  const onStatus = (status: number | null) => {
    failures.set(status, (failures.get(status) ?? 0) + 1);
    if (status !== null && status >= 500 && status !== 503) wrongStatuses.push(status);
  };
  const refunds = createRefunds(api, { ...shop, onStatus });
  let underWay = 0;
  let begun = 0;
  let isStopped = false;

  async function payInTurn(): Promise<void> {
    while (!isStopped) {
      const next = sleep(everyMs);
      const number = ++begun;
      const reference = `${prefix}-${number}`;
      inDoubt.add(reference);
      underWay += 1;
      const isPaid = await pay(api, { key, reference, isByCard: number % oneByCard === 0, onStatus });
      if (isPaid && inDoubt.delete(reference)) committed.add(reference);
      if (isPaid && number % oneRefunded === 0) await refunds.refund(reference);
      underWay -= 1;
      await Promise.all([next, sleep(isPaid ? pauseMs : refusedPauseMs)]);
    }
  }

  const paying = Promise.all(Array.from({ length: payers }, payInTurn));
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
    failures,
    underWay: () => underWay,
    async waitForPayments() {
      const wanted = committed.size + atWork;
      for (const deadline = Date.now() + patienceMs; committed.size < wanted; await sleep(pauseMs)) {
        if (Date.now() > deadline) throw new Error('The API did not acknowledge enough payments in time.');
      }
    },
    stop,
  };
}

async function pay(
  { url }: Pick<Server, 'url'>,
  { key, reference, isByCard, onStatus }: { key: string; reference: string; isByCard: boolean; onStatus: OnStatus },
): Promise<boolean> {
  const client = new Tillhook(key, { baseUrl: url, maxRetries: 0, timeoutMs: 10_000 });
  try {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });
    if (!isByCard) return (await client.testHelpers.completePayment(reference)).status === 'completed';
    // After a restart, only the path of `checkoutUrl` is still valid, because the server has a new port.
    const { pathname } = new URL(data.checkoutUrl);
    const { status } = await payByForm(`${url}${pathname}`, '4242424242424242');
    if (status !== 200) onStatus(status);
    return status === 200 && (await client.payments.get(reference)).status === 'completed';
  } catch (error) {
    onStatus(error instanceof TillhookError ? error.status : null);
    return false;
  }
}

export function failedCalls({ failures, inDoubt }: Payers): string[] {
  const statuses = [...failures].map(([status, times]) => `${status ?? 'no answer'} (${times} times)`);
  return [
    ...(statuses.length > 0 ? [`calls failed: ${statuses.join(', ')}`] : []),
    ...(inDoubt.size > 0 ? [`${inDoubt.size} payments were not acknowledged`] : []),
  ];
}
