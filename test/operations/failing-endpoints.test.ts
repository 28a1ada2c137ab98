import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { makeDeliveriesDue, payOnce } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

const timeoutMs = 400;
const server = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '3600000,3600000', DELIVERY_TIMEOUT_MS: String(timeoutMs) });

async function healthOf({ call }: SignedIn): Promise<OperationOutput<'listEndpointHealth'>['endpoints'][number]> {
  const { endpoints } = await (await call('/api/v1/dashboard/endpoint-health?hours=2')).json();
  return endpoints[0];
}

async function attemptsOf(ada: SignedIn) {
  const { hours } = await healthOf(ada);
  // The hour may end between two attempts.
  const sum = (field: 'delivered' | 'failed' | 'retrying' | 'attempts' | 'failedAttempts') =>
    hours.reduce((total, hour) => total + hour[field], 0);
  return [sum('attempts'), sum('failedAttempts'), sum('retrying'), sum('failed'), sum('delivered')];
}

test('listEndpointHealth 200 counts failed attempts from the first, long before a delivery ends as failed', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  const receiver = await startReceiver({ answer: () => ({ status: 500 }) });
  t.teardown(() => receiver.stop());
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });
  t.like(await healthOf(ada), { isFailing: false, failingSince: null });

  const before = Date.now();
  await payOnce(client);
  await eventually(() => attemptsOf(ada), [1, 1, 1, 0, 0]);
  const { isFailing, failingSince } = await healthOf(ada);
  t.true(isFailing);
  t.true(Math.abs(Date.parse(failingSince ?? '') - before) < 30_000);

  await makeDeliveriesDue(server(), id);
  await eventually(() => attemptsOf(ada), [2, 2, 1, 0, 0]);
  t.is((await healthOf(ada)).failingSince, failingSince);

  receiver.setAnswer(() => ({ status: 200 }));
  await makeDeliveriesDue(server(), id);
  await eventually(() => attemptsOf(ada), [3, 2, 0, 0, 1]);
  t.like(await healthOf(ada), { isFailing: false, failingSince: null });
});

test('getOverview 200 counts the attempts of deliveries that wait for a retry, and a time-out in the answer times', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const receiver = await startReceiver({ answer: async () => isOpen.then(() => ({ status: 200 })) });
  t.teardown(() => receiver.stop());
  t.teardown(() => open());
  await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);

  const look = async (): Promise<OperationOutput<'getOverview'>['now']> =>
    (await (await ada.call('/api/v1/dashboard/overview')).json()).now;
  const { deliveries, answers } = await eventually(look, (now) => now.deliveries?.attempts === 1);

  t.like(deliveries, { created: 1, delivered: 0, failed: 0, pending: 1, retrying: 1, failedAttempts: 1 });
  t.is(answers?.answered, 1);
  t.true((answers?.p95 ?? 0) >= timeoutMs && (answers?.p95 ?? 0) < 30_000);
});
