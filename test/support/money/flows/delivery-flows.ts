import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import { createDispatcher } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import test, { type ExecutionContext } from 'ava';
import type { Loss } from '../../database/statement-cutter.ts';
import { eventually } from '../../eventually.ts';
import { testEnvironment } from '../../server/environment.ts';
import { spawnTillhook } from '../../server/process.ts';
import type { TestMerchant } from '../../server/tillhook.ts';
import type { Flow } from '../crash.ts';
import { moneyRowsOf, paidRows } from '../money-rows.ts';
import { startCheckout } from '../payments.ts';
import { cutter, post, server } from './cut-server.ts';

async function pay(merchant: TestMerchant) {
  await startCheckout(merchant, 'order-1042');
  await merchant.client.testHelpers.completePayment('order-1042');
}

async function insertMissed(merchant: TestMerchant) {
  await pay(merchant);
  await server().database.query(
    `with ended as (
       update delivery set status = 'failed', status_reason = 'attempts_exhausted', attempt_count = 4, completed_at = now()
       where merchant_id = $1 and status = 'pending' returning id)
     delete from pending_delivery using ended where delivery_id = ended.id`,
    [merchant.id],
  );
}

const skipped = 'checkout.success to inactive skipped 0 endpoint_inactive';
const missed = {
  ...paidRows(),
  deliveries: ['checkout.success to active failed 4 attempts_exhausted', skipped],
  queued: [],
};
const sentAgain = {
  ...missed,
  deliveries: [
    'checkout.success to active failed 4 attempts_exhausted resent',
    'checkout.success to active pending 0 again',
    skipped,
  ],
  queued: ['checkout.success to active pending 0'],
};

async function resend(merchant: TestMerchant) {
  const { deliveries } = await merchant.client.deliveries.list({ status: 'failed' });
  await post(`/api/v1/webhook-deliveries/${deliveries[0]?.id}/resend`)(merchant);
}

async function replay(merchant: TestMerchant) {
  const { webhooks } = await merchant.client.webhookEndpoints.list();
  const active = webhooks.find(({ isActive }) => isActive);
  await post(`/api/v1/merchant-webhooks/${active?.id}/replay`, { since: '2026-01-01T00:00:00.000Z' })(merchant);
}

export const deliveryFlows: readonly Flow[] = [
  { title: 'a delivery is sent again', prepare: insertMissed, act: resend, rows: [missed, sentAgain] },
  {
    title: 'missed deliveries of an endpoint are replayed',
    prepare: insertMissed,
    act: replay,
    rows: [missed, sentAgain],
  },
];

const records = /delete from pending_delivery using result/;

const queuedRows = {
  ...paidRows(),
  deliveries: ['checkout.success to active pending 0'],
};
const recorded = {
  ...queuedRows,
  deliveries: ['checkout.success to active delivered 1'],
  queued: [],
  deliveryAttempts: ['checkout.success to active 1 200'],
  counted: ['active 1 0'],
};

async function createDueDelivery(t: ExecutionContext): Promise<{ merchant: TestMerchant; receiver: Receiver }> {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: `${receiver.url}/active` });
  await pay(merchant);
  t.deepEqual(await moneyRowsOf(server().database, merchant.id), queuedRows);
  return { merchant, receiver };
}

function dispatch(t: ExecutionContext): void {
  const dispatcher = createDispatcher(server().context, { ring() {} });
  t.teardown(() => dispatcher.stop(1000));
}

const idsOf = ({ deliveries }: Receiver) => deliveries.map(({ headers }) => headers['webhook-id']);

export function testLostRecording(loss: Loss): void {
  test.serial(
    `if the database ${loss} is lost while a result is recorded, the delivery is sent once and the result recorded once`,
    async (t) => {
      const { merchant, receiver } = await createDueDelivery(t);
      cutter.cutAt({ from: [records], message: 1, loss });

      dispatch(t);
      const cut = await eventually(
        () => cutter.cut,
        (seen) => seen !== undefined,
      );

      const rows = () => moneyRowsOf(server().database, merchant.id);
      t.deepEqual(await eventually(rows, recorded, 10_000).catch(rows), recorded, `without ${cut}, and later`);
      t.is(receiver.deliveries.length, 1, `without ${cut}`);
    },
  );
}

export function testWorkerKill(loss: Loss): void {
  test.serial(
    `if a worker is killed and its database ${loss} is lost while the worker records a result, another worker records this result exactly once`,
    async (t) => {
      const { merchant, receiver } = await createDueDelivery(t);
      const worker = spawnTillhook(t, testEnvironment(cutter.reach(server().database.url), { ROLE: 'worker' }));
      cutter.cutAt({ from: [records], message: 1, loss, onCut: () => worker.kill('SIGKILL') });

      const { code } = await worker.ended;

      const cut = cutter.disarm();
      t.is(code, null, 'the process exited before it was killed');
      const rows = () => moneyRowsOf(server().database, merchant.id);
      t.deepEqual(await rows(), loss === 'answer' ? recorded : queuedRows, `killed without ${cut}`);
      await server().database.query('update pending_delivery set held_until = null');
      dispatch(t);
      t.deepEqual(await eventually(rows, recorded, 10_000).catch(rows), recorded, `killed without ${cut}, and later`);
      // A delivery whose result was not recorded is sent once more, with the same id.
      t.is(receiver.deliveries.length, loss === 'answer' ? 1 : 2);
      t.is(new Set(idsOf(receiver)).size, 1);
    },
  );
}

async function startDirect(t: ExecutionContext, merchant: TestMerchant) {
  const process = spawnTillhook(
    t,
    testEnvironment(cutter.reach(server().database.url), {
      ROLE: 'api',
      DELIVERY_DIRECT: 'on',
      DELIVERY_CONNECT_TIMEOUT_MS: '1000',
      DELIVERY_TIMEOUT_MS: '1000',
    }),
  );
  const client = new Tillhook(merchant.testKey, { baseUrl: await process.line('api'), maxRetries: 0 });
  return { process, complete: () => client.testHelpers.completePayment('order-1042').catch(() => {}) };
}

/**
 * The places at which a process that sends directly is killed, and the number of times that the event then arrives.
 */
const directKills = {
  'between the commit and the attempt': { from: [/^with new_event as/, /^commit/i], loss: 'answer', arrivals: 1 },
  'between the attempt and its record': { from: [records], loss: 'statement', arrivals: 2 },
} as const;

export function testDirectKill(when: keyof typeof directKills): void {
  const { from, loss, arrivals } = directKills[when];
  test.serial(`if a process is killed ${when}, a worker delivers the event after a short lease`, async (t) => {
    const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
    t.teardown(() => receiver.stop());
    const merchant = await server().createMerchant();
    await merchant.client.webhookEndpoints.register({ url: `${receiver.url}/active` });
    await startCheckout(merchant, 'order-1042');
    const { process, complete } = await startDirect(t, merchant);
    cutter.cutAt({ from, message: 1, loss, onCut: () => process.kill('SIGKILL') });

    await complete();
    await process.ended;

    const cut = cutter.disarm();
    t.truthy(cut);
    const rows = () => moneyRowsOf(server().database, merchant.id);
    t.deepEqual(await rows(), queuedRows, `killed without ${cut}`);
    t.is(receiver.deliveries.length, arrivals - 1, 'arrived before the kill');
    dispatch(t);
    t.deepEqual(await eventually(rows, recorded, 10_000).catch(rows), recorded, `killed without ${cut}, and later`);
    t.is(receiver.deliveries.length, arrivals);
    t.is(new Set(idsOf(receiver)).size, 1);
  });
}
