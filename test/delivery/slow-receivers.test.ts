import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, makeDeliveriesDue } from '../support/receivers/deliveries.ts';
import { type HoldingReceiver, startHoldingReceiver } from '../support/receivers/holding-receiver.ts';
import { startServer, type TestMerchant, type TestServer } from '../support/server/tillhook.ts';

// Every receiver answers only when the test makes it answer, so no delivery times out.
const env = {
  DELIVERY_CONCURRENCY: '8',
  DELIVERY_TIMEOUT_MS: '200000',
  DELIVERY_LEASE_MS: '400000',
  SHUTDOWN_GRACE_MS: '0',
};

interface Customer {
  server: TestServer;
  merchant: TestMerchant;
  mode: 'test' | 'live';
  receiver: HoldingReceiver;
  endpointIds: string[];
}

async function newCustomer(
  t: ExecutionContext,
  server: TestServer,
  { mode, endpoints = 1 }: { mode: 'test' | 'live'; endpoints?: number },
): Promise<Customer> {
  const [merchant, receiver] = [await server.createMerchant(), await startHoldingReceiver(t)];
  const { webhookEndpoints } = mode === 'live' ? merchant.liveClient : merchant.client;
  const endpointIds: string[] = [];
  for (let n = 0; n < endpoints; n++)
    endpointIds.push((await webhookEndpoints.register({ url: `${receiver.url}/${n}` })).id);
  return { server, merchant, mode, receiver, endpointIds };
}

async function insertDue({ server, merchant, mode, endpointIds }: Customer, each: number): Promise<void> {
  for (const webhookId of endpointIds)
    await insertDeliveries(server, merchant, { webhookId, mode, count: each, status: 'pending' });
  for (const webhookId of endpointIds) await makeDeliveriesDue(server, webhookId);
}

const answered = ({ receiver }: Customer, count: number) => eventually(() => receiver.answered, count);

for (const mode of ['test', 'live'] as const) {
  test(`a ${mode} merchant whose fast endpoints all become slow at once does not delay other merchants`, async (t) => {
    const server = await startServer(t, env);
    const slow = await newCustomer(t, server, { mode, endpoints: 16 });
    const healthy = [await newCustomer(t, server, { mode: 'live' }), await newCustomer(t, server, { mode: 'test' })];
    await insertDue(slow, 10);
    await answered(slow, 160);

    slow.receiver.hold();
    await insertDue(slow, 40);
    await eventually(
      () => slow.receiver.held,
      (held) => held > 0,
    );
    for (const customer of healthy) await insertDue(customer, 50);

    for (const customer of healthy) await answered(customer, 50);
    t.is(slow.receiver.answered, 160, 'the slow endpoints have answered no delivery by now');
    t.true(slow.receiver.held > 0);
    slow.receiver.answerAll();
    await answered(slow, 160 + 640);
  });
}
