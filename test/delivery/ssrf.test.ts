import { ValidationError } from '@tillhook/sdk';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/endpoints/signing-secret.ts';
import { resendDelivery } from '@tillhook/server/src/webhooks/log/resend.service.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { type NameServer, startNameServer } from '../support/network/name-server.ts';
import { refusedAddresses } from '../support/network/refused-addresses.ts';
import { payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import {
  type ForbiddenListener,
  startForbiddenListener,
  startWildcardReceiver,
} from '../support/receivers/inside-receivers.ts';
import { ownServerForFile, startOwnServer, type TestMerchant } from '../support/server/tillhook.ts';

const server = ownServerForFile({
  WEBHOOK_ALLOW_CIDRS: '',
  DELIVERY_CONNECT_TIMEOUT_MS: '2000',
  DELIVERY_TIMEOUT_MS: '3000',
  DELIVERY_RETRY_DELAYS_MS: '',
});
let nameServer: NameServer;
let forbidden: ForbiddenListener;

test.before(async () => {
  nameServer = await startNameServer();
  forbidden = await startForbiddenListener();
});

test.beforeEach(() => {
  forbidden.connections = 0;
});

test.after.always(() => nameServer?.stop());

// The tests run one after another: a registration waits only one second for a name to resolve, and under load that may
// be too short.

const every = Object.values(refusedAddresses).flat();
const here = (address: string) => address.replace('PORT', `${forbidden.port}`);
const posting = (url: string) => ({ url, headers: ['content-type', 'application/json'], body: Buffer.from('{}') });

/** Removes NUL, because Postgres cannot store it. */
const stored = (url: string) => url.replace('\0', '');

/** The URL is changed by SQL, because a registration would refuse it. */
async function sendTestTo({ client }: TestMerchant, id: string, url: string) {
  await server().database.query('update webhook_endpoint set url = $2 where id = $1', [id, stored(url)]);
  return (await client.webhookEndpoints.sendTest(id)).data;
}

const somewhere = { url: 'https://8.8.8.8/' };

test('the tests contain at least sixty ways to write a refused address', (t) => {
  t.log(`${every.length} ways`);
  t.true(every.length >= 60);
});

for (const [kind, addresses] of Object.entries(refusedAddresses)) {
  test.serial(`${kind}: registration and update of an endpoint refuse the address`, async (t) => {
    const { client } = await server().createMerchant();
    const { id } = await client.webhookEndpoints.register(somewhere);

    const refused = { instanceOf: ValidationError };
    await Promise.all(
      addresses.map((address) =>
        t.throwsAsync(client.webhookEndpoints.register({ url: here(address) }), refused, address),
      ),
    );
    await Promise.all(
      addresses.map((address) =>
        t.throwsAsync(client.webhookEndpoints.update(id, { url: here(address) }), refused, address),
      ),
    );

    const { total, webhooks } = await client.webhookEndpoints.list();
    t.deepEqual([total, webhooks.map(({ url }) => url)], [1, [somewhere.url]]);
  });

  test.serial(`${kind}: the sender refuses the address and opens no connection`, async (t) => {
    const { sender } = server().context;

    const outcomes = await Promise.all(addresses.map((address) => sender.post(posting(here(address)))));

    for (const [n, { error, statusCode }] of outcomes.entries()) {
      t.deepEqual([error, statusCode], ['address_refused', null], addresses[n]);
    }
    t.is(forbidden.connections, 0);
  });

  test.serial(`${kind}: a test event to the address is refused`, async (t) => {
    const merchant = await server().createMerchant();
    const { id } = await merchant.client.webhookEndpoints.register(somewhere);

    for (const address of addresses) {
      const result = await sendTestTo(merchant, id, here(address));
      t.like(result, { delivered: false, statusCode: null, error: 'address_refused', responseBody: null }, address);
    }

    t.is(forbidden.connections, 0);
  });
}

/** Inserts endpoints by SQL, because a registration would refuse their addresses, and so many endpoints. */
async function insertEndpoints({ id: merchantId }: TestMerchant, addresses: readonly string[]) {
  const { database, context } = server();
  const endpoints = addresses.map((address) => {
    const id = newId();
    return { id, address, url: stored(here(address)), secret: context.sealer.seal(newSigningSecret(), id) };
  });
  await database.query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select id, $1, 'test', url, secret, '0000', '*', true, now()
     from json_to_recordset($2) as endpoint (id uuid, url text, secret text)`,
    [merchantId, JSON.stringify(endpoints.map(({ address, ...row }) => row))],
  );
  return endpoints;
}

const waitUntilQueueIsEmpty = () =>
  eventually(() => server().database.query('select * from pending_delivery limit 1'), []);

/** The response of the operation would contain the refused address, which the contract does not allow. */
function resend({ id: merchantId }: TestMerchant, deliveryId: string) {
  const actor = { type: 'key', apiKeyId: newId() } as const;
  const principal = { merchantId, mode: 'test', currency: 'NGN', scopes: null, actor } as const;
  return inTransaction({ ...withFreshEntityManager(server().context), principal }, (tx) =>
    resendDelivery(tx, deliveryId),
  );
}

function recordedOf(webhookId: string) {
  return server().database.query<{ id: string; outcome: unknown[] }>(
    `select delivery.id, json_build_array(status, attempt, status_code, error) as outcome
     from delivery left join delivery_attempt on delivery_id = delivery.id where endpoint_id = $1 order by delivery.id`,
    [webhookId],
  );
}

const refusedOnce = ['failed', 1, null, 'address_refused'];

test.serial('the dispatcher refuses each way to write a refused address', async (t) => {
  const merchant = await server().createMerchant();
  const endpoints = await insertEndpoints(merchant, every);

  await payOnce(merchant.client);
  await waitUntilQueueIsEmpty();

  for (const { id, address } of endpoints) {
    const outcomes = (await recordedOf(id)).map(({ outcome }) => outcome);
    t.deepEqual(outcomes, [refusedOnce], address);
  }
  t.is(forbidden.connections, 0);
});

test.serial('a refused delivery is refused again after a resend and after a replay', async (t) => {
  const merchant = await server().createMerchant();
  const endpoints = await insertEndpoints(merchant, refusedAddresses.loopback ?? []);
  await payOnce(merchant.client);
  await waitUntilQueueIsEmpty();

  for (const { id } of endpoints) for (const delivery of await recordedOf(id)) await resend(merchant, delivery.id);
  await waitUntilQueueIsEmpty();
  const since = new Date(0).toISOString();
  for (const { id } of endpoints) await merchant.client.webhookEndpoints.replay(id, { since });
  await waitUntilQueueIsEmpty();

  for (const { id, address } of endpoints) {
    const outcomes = (await recordedOf(id)).map(({ outcome }) => outcome);
    t.deepEqual(outcomes, [refusedOnce, refusedOnce, refusedOnce], address);
  }
  t.is(forbidden.connections, 0);
});

const twenty = Array.from({ length: 20 }, (_, n) => `8.8.8.${n}`);
const answers: [name: string, addresses: string[]][] = [
  ['private.test', ['10.0.0.1']],
  ['loopback.test', ['127.0.0.1']],
  ['loopback6.test', ['::1']],
  ['metadata.test', ['169.254.169.254']],
  ['mapped.test', ['::ffff:7f00:1']],
  ['translated.test', ['64:ff9b::7f00:1']],
  ['tunnelled.test', ['2002:7f00:1::']],
  ['one-of-two.test', ['8.8.8.8', '127.0.0.1']],
  ['other-family.test', ['8.8.8.8', '::1']],
  ['one-of-many.test', [...twenty, '127.0.0.1']],
];

for (const [name, addresses] of answers) {
  test.serial(`a name is refused if any of its addresses is refused: ${name}`, async (t) => {
    nameServer.names.set(name, addresses);
    const merchant = await server().createMerchant();
    const { client } = merchant;
    const url = `http://${name}:${forbidden.port}/`;

    const error = await t.throwsAsync(client.webhookEndpoints.register({ url }), { instanceOf: ValidationError });
    const { id } = await client.webhookEndpoints.register(somewhere);
    const result = await sendTestTo(merchant, id, url);

    t.like(error, { code: 'invalid_url', param: 'url' });
    t.like(result, { delivered: false, statusCode: null, error: 'address_refused' });
    t.is(forbidden.connections, 0);
    const shown = JSON.stringify([error?.message, result, await client.deliveries.get(result.deliveryId)]);
    for (const address of addresses) t.false(shown.includes(address), `${address} in ${shown}`);
  });
}

test.serial('a name that resolves to a private address after its registration is refused', async (t) => {
  nameServer.names.set('moves.test', ['8.8.8.8']);
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: `http://moves.test:${forbidden.port}/` });
  nameServer.names.set('moves.test', ['127.0.0.1']);

  const { data } = await client.webhookEndpoints.sendTest(id);

  t.like(data, { delivered: false, error: 'address_refused' });
  t.is(forbidden.connections, 0);
});

test.serial(
  'if a name resolves to another address after the check, the sender still connects to the checked address',
  async (t) => {
    const receiver = await startWildcardReceiver(t);
    // This loopback address stands for a public address, so that no packet leaves this machine.
    const outside = '127.0.0.2';
    const open = await startOwnServer(t, { WEBHOOK_ALLOW_CIDRS: `${outside}/32`, DELIVERY_RETRY_DELAYS_MS: '' });
    nameServer.names.set('rebinds.test', [outside]);
    const { client } = await open.createMerchant();
    const { id: webhookId } = await client.webhookEndpoints.register({ url: `http://rebinds.test:${receiver.port}/` });
    const outcomes = async () => {
      const { deliveries } = await client.deliveries.list({ webhookId, order: 'asc' });
      const logged = await Promise.all(deliveries.map(({ id }) => client.deliveries.get(id)));
      return logged.map(({ status, attempts }) => [status, ...attempts.map(({ error }) => error)]);
    };

    nameServer.names.set('rebinds.test', { inTurn: [[outside], ['127.0.0.1', '::1']] });
    await payOnce(client);
    await waitForDeliveries(client);
    t.deepEqual([await outcomes(), receiver.reachedAt], [[['delivered', null]], [outside]]);

    await payOnce(client);
    await waitForDeliveries(client);
    const [, second] = await outcomes();
    t.deepEqual([second, receiver.reachedAt], [['failed', 'address_refused'], [outside]]);
  },
);

test('an endpoint may be registered although its host name does not resolve within a second, or not at all', async (t) => {
  nameServer.names.set('silent.test', 'silence');
  const { client } = await server().createMerchant();

  await client.webhookEndpoints.register({ url: 'https://nowhere.test/' });
  await client.webhookEndpoints.register({ url: 'https://silent.test/' });

  t.is((await client.webhookEndpoints.list()).total, 2);
});
