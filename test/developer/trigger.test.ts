import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { eventNames } from '../../developer/src/commands/event-names.ts';
import { eventually } from '../support/eventually.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { environmentOf, runDeveloper, startDeveloper } from '../support/server/developer.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const contractEvents = readContract().model.webhooks.map(({ name }) => name);

test('trigger can cause every event of the contract', (t) => {
  t.deepEqual(eventNames.toSorted(), contractEvents.toSorted());
  t.is(contractEvents.length, 8);
});

const preparations: Record<string, (merchant: TestMerchant, url: string) => Promise<unknown>> = {
  'test.event': ({ client }, url) => client.webhookEndpoints.register({ url, events: ['transfer.failed'] }),
};

for (const event of contractEvents) {
  test(`trigger causes ${event}, and prints its id and reference`, async (t) => {
    const merchant = await server().createMerchant();
    const receiver = await receiverFor(t);
    await preparations[event]?.(merchant, receiver.url);
    const args = ['trigger', event, '--amount', '1234', '--json'];

    const command = startDeveloper({ env: environmentOf(server(), merchant), args });
    if (event === 'refund.failed') await failRefund(merchant);
    const { code, stdout, stderr } = await command.ended;

    t.is(code, 0, stderr);
    const { eventId, reference, steps } = JSON.parse(stdout);
    const { events } = await merchant.client.events.list({ event: [event as 'test.event'] });
    t.like(events, { 0: { id: eventId, reference }, length: 1 });
    if (event !== 'test.event') t.like(events[0]?.data, { reference, amount: 1234 });
    t.true(steps.length >= 1);
  });
}

async function failRefund({ client }: TestMerchant): Promise<void> {
  await eventually(
    () => client.refunds.list({ status: 'processing' }),
    ({ refunds }) => refunds.length > 0,
  );
  await client.test.advanceTime({ seconds: 60 });
}

test('trigger prints each step, and accepts a reference for the payment', async (t) => {
  const merchant = await server().createMerchant();

  const end = await runDeveloper(
    environmentOf(server(), merchant),
    ...['trigger', 'checkout.success', '--reference', 'order-1042', '--currency', 'USD'],
  );

  t.is(end.code, 0, end.stderr);
  t.regex(
    end.stdout,
    /^· Created the checkout order-1042\n· Paid it.*\n✓ checkout\.success of order-1042 is event \S{36}\n$/,
  );
  t.like(await merchant.client.payments.get('order-1042'), { currency: 'USD', amount: 500_000 });
});

test('trigger prints amounts with the currency and decimals', async (t) => {
  const env = environmentOf(server(), await server().createMerchant());

  const refund = await runDeveloper(env, 'trigger', 'refund.success', '--amount', '123456');
  const transfer = await runDeveloper(env, 'trigger', 'transfer.success', '--amount', '500000');

  t.regex(refund.stdout, /\n· Refunded NGN 1,234\.56 of it\n/);
  t.regex(transfer.stdout, /^· Added NGN 5,000\.00 to the Transfer wallet\n/);
  t.regex(transfer.stdout, /\n· Sent NGN 5,000\.00 to the account 0123456789\n/);
});

test('trigger rejects a live key and creates nothing', async (t) => {
  const { liveKey, liveClient } = await server().createMerchant();
  const env = { TILLHOOK_BASE_URL: server().url, TILLHOOK_API_KEY: liveKey };

  for (const args of [
    ['trigger', 'checkout.success'],
    ['advance', '2h'],
  ]) {
    const end = await runDeveloper(env, ...args);
    t.is(end.code, 2);
    t.regex(end.stderr, /works with a test key only.*\n.*Nothing was changed\.\n$/);
  }
  t.is((await liveClient.payments.list()).total, 0);
});

test('trigger test.event fails with advice when the merchant has no endpoint or several endpoints', async (t) => {
  const merchant = await server().createMerchant();
  const receiver = await receiverFor(t);
  const env = environmentOf(server(), merchant);

  const none = await runDeveloper(env, 'trigger', 'test.event');
  const first = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const several = await runDeveloper(env, 'trigger', 'test.event');
  const named = await runDeveloper(env, 'trigger', 'test.event', '--endpoint', first.id);
  receiver.setAnswer(() => ({ status: 503 }));
  const failing = await runDeveloper(env, 'trigger', 'test.event', '--endpoint', first.id);
  const closed = await merchant.client.webhookEndpoints.register({ url: 'http://127.0.0.1:1/webhooks' });
  const refused = await runDeveloper(env, 'trigger', 'test.event', '--endpoint', closed.id);

  t.deepEqual([none.code, several.code, named.code], [1, 2, 0]);
  t.regex(none.stderr, /there is none\.\nRegister one/);
  t.regex(several.stderr, /There are several endpoints\.\nName one with --endpoint: .*127\.0\.0\.1/);
  t.regex(named.stdout, /^· Endpoint \S+ received it\n/);
  t.regex(failing.stdout, /^· Endpoint \S+ did not receive it\. It answered 503\.\n/);
  t.regex(refused.stdout, /^· Endpoint \S+ did not receive it\. No program listens at this address/);
});

test('trigger rejects an unknown event and an invalid amount, and names the valid values; it also rejects a reference that is in use', async (t) => {
  const merchant = await server().createMerchant();
  const env = environmentOf(server(), merchant);
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 700, reference: 'order-1042' });

  const unknown = await runDeveloper(env, 'trigger', 'checkout.paid');
  const amount = await runDeveloper(env, 'trigger', 'checkout.success', '--amount', '1.5');
  const used = await runDeveloper(env, 'trigger', 'checkout.success', '--reference', 'order-1042');

  t.deepEqual([unknown.code, amount.code, used.code], [2, 2, 1]);
  t.regex(unknown.stderr, /Allowed choices are checkout\.success/);
  t.regex(amount.stderr, /whole number of 1 or more/);
  t.regex(used.stderr, /reference already exists \(request req_\w+\)/);
});

const nowhere = { TILLHOOK_API_KEY: 'sk_test_any', TILLHOOK_BASE_URL: 'http://localhost:1' };

test('advance rejects a duration without a unit, with an unknown unit or above 30 days, and makes no call', async (t) => {
  for (const duration of ['90', '2x', 'soon', '31d', '0s', '99999d']) {
    const end = await runDeveloper(nowhere, 'advance', duration);
    t.is(end.code, 2, duration);
    t.regex(end.stderr, /^The duration (must be|is too long).*\n(Write it as 90s|Call the command several times).*\n$/);
  }
});

test('advance moves deadlines nearer, and prints how many deadlines of each kind it moved', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 700, reference: 'order-1042' });
  const { expiresAt } = await merchant.client.payments.get('order-1042');
  const own = environmentOf(server(), merchant);

  const idle = await runDeveloper(environmentOf(server(), await server().createMerchant()), 'advance', '90s');
  const told = await runDeveloper(own, 'advance', '90s');
  const json = await runDeveloper(own, 'advance', '10m', '--json');

  t.is(told.stdout, 'Test time moved on by 90s. Came nearer: 1 expiry of a checkout.\n');
  t.is(idle.stdout, 'Test time moved on by 90s. Nothing in test mode waits for a time.\n');
  t.like(JSON.parse(json.stdout), { seconds: 600, moved: { checkouts: 1, refunds: 0 } });
  const { expiresAt: nearer } = await merchant.client.payments.get('order-1042');
  t.is(Date.parse(expiresAt) - Date.parse(nearer), 690_000);
});
