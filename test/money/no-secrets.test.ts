import { Tillhook } from '@tillhook/sdk';
import { passesLuhn } from '@tillhook/server/src/pages/checkout/read-card-form.ts';
import { hashApiKey, newApiKey } from '@tillhook/server/src/people/keys/api-key.ts';
import test from 'ava';
import { createTestDatabase, type Database } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { startFakeStripe } from '../support/processors/fake-stripe.ts';
import { signStripeEvent, stripeEvent } from '../support/processors/stripe-events.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';

/** The CVC of the American Express card. Three digits could be in logs by chance, for example as milliseconds. */
const cvc = '8317';
const amexCard = '378282246310005';
const accountNumber = '3141592653';
const cards = [
  amexCard,
  '4242424242424242',
  '4000000000000002',
  '4000000000003220',
  '4111111111111111',
  '4242424242424241',
];
const webhookSecret = 'whsec_stripes_own';
const liveKey = 'sk_test_stripes_own';

test('no card number, CVC, account number, key or secret is in the logs, the database or a URL', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const stripe = await startFakeStripe();
  t.teardown(() => stripe.stop());
  const process = spawnTillhook(
    t,
    testEnvironment(database.url, {
      LOG_LEVEL: 'trace',
      SEED_DEMO: 'true',
      STRIPE_SECRET_KEY: liveKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
      RATE_LIMITS: 'checkout:1000/60,checkout_hourly:1000/60',
    }),
  );
  const url = await process.line('api ');
  const testKey = await process.line('test key ');
  await process.line('ready');
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const client = new Tillhook(testKey, { baseUrl: url, maxRetries: 0 });
  const visited: string[] = [];

  const { id, secret } = await client.webhookEndpoints.register({ url: receiver.url });
  await receiver.addSecret(secret);
  await client.webhookEndpoints.rotateSecret(id, {});
  for (const number of cards) visited.push(...(await payWith(client, number)));
  await client.testHelpers.fundWallet({ amount: 1000 });
  const recipient = { name: 'Ada Lovelace', accountNumber, bankCode: '058' };
  await client.transfers.create({ reference: 'payout-1', amount: 100, recipient });
  await t.throwsAsync(client.transfers.create({ reference: 'payout-2', amount: 10 ** 6, recipient }));
  await callWrongly(url, testKey);
  await eventually(async () => (await client.transfers.get('payout-1')).status, 'completed');
  const liveClient = new Tillhook(await createLiveKey(database), { baseUrl: url, maxRetries: 0 });
  const { data } = await liveClient.checkout.create({ email: 'ada@example.com', amount: 100 });
  stripe.failNext({ status: 401, error: { message: `Invalid API Key provided: ${liveKey}` } });
  visited.push(...(await submit(data.checkoutUrl, {})));
  const event = signStripeEvent(stripeEvent('checkout.session.completed'), 'whsec_forged');
  const forged = { method: 'POST', body: event.body, headers: { 'stripe-signature': event.signature } };
  t.is((await fetch(`${url}/processors/stripe/webhook`, forged)).status, 400);
  await eventually(
    () => receiver.deliveries.length,
    (seen) => seen >= 3,
  );

  const pending = await client.checkout.create({ email: 'ada@example.com', amount: 100 });
  t.is((await client.payments.get(pending.data.reference)).checkoutUrl, pending.data.checkoutUrl);

  process.kill('SIGTERM');
  const { stderr: logs } = await process.ended;
  const payments = await database.query<{ access_code: string }>('select access_code from payment');
  t.true(payments.length > cards.length);
  t.deepEqual(
    payments.filter(({ access_code }) => logs.includes(access_code)),
    [],
    'no access code is in the logs',
  );

  t.regex(logs, /The processor gave no answer/);
  const leakyLines = logs.split('\n').flatMap((line) => leaksIn(line).map((leak) => `${leak} in ${line}`));
  t.deepEqual(leakyLines, []);
  t.deepEqual(
    visited.flatMap((address) => leaksIn(address).map((leak) => `${leak} in ${address}`)),
    [],
  );
  t.deepEqual(await leaksInDatabase(database), []);
});

test('the search finds a secret in a text that contains a secret', (t) => {
  const leaks = [...cards.slice(0, 5), '4242 4242 4242 4242', 'sk_live_abc', 'whsec_abc', accountNumber, `cvc ${cvc}`];

  for (const leak of leaks) t.is(leaksIn(`{"a":"${leak}"}`).length, 1, leak);
  t.deepEqual(leaksIn('{"time":1732190000002,"id":"019aa3c4-7a5b-7c52-8317-1b2c3d4e5f62"}'), []);
});

async function payWith(client: Tillhook, number: string): Promise<string[]> {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  const form = {
    cardNumber: number,
    expiry: '12 / 40',
    cvc: number === amexCard ? cvc : '831',
    cardName: 'Ada Lovelace',
  };
  const visited = await submit(data.checkoutUrl, form);
  return [...visited, ...(await submit(data.checkoutUrl, { step: 'complete' }, '/step'))];
}

async function submit(checkoutUrl: string, form: Record<string, string>, path = ''): Promise<string[]> {
  const page = await (await fetch(checkoutUrl)).text();
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ nonce, ...form });
  const response = await fetch(`${checkoutUrl}${path}`, { method: 'POST', body });
  return [checkoutUrl, response.url, ...[...page.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, link = '']) => link)];
}

async function callWrongly(url: string, key: string): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@example.com', amount: 1, cardNumber: cards[0], cvc, secret: 'whsec_mine' });
  for (const headers of [
    { authorization: `Bearer ${key}x` },
    { 'x-service-key': key },
    { authorization: `Bearer ${key}` },
  ]) {
    await fetch(`${url}/api/v1/payments/checkout`, { method: 'POST', headers: { ...json, ...headers }, body });
  }
}

/** Creates a live API key, of which the database has only the hash. */
async function createLiveKey(database: Database): Promise<string> {
  const key = newApiKey('live');
  await database.query(
    `insert into api_key (id, merchant_id, mode, hash, prefix, last4, created_at)
     select gen_random_uuid(), merchant_id, 'live', $1, left($2, 12), right($2, 4), now() from api_key limit 1`,
    [hashApiKey(key), key],
  );
  return key;
}

const secretNames = /\b[sr]k_(?:test|live)_\w+|\bwhsec_\w+/g;
const alone = (digits: string) => new RegExp(`(?<![\\w-])${digits}(?![\\w-])`, 'g');
/** Numbers that begin like card numbers. Milliseconds since 1970 have as many digits, but begin with 1. */
const longNumber = /(?<![\w.-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g;

function leaksIn(text: string): string[] {
  return [
    ...(text.match(secretNames) ?? []),
    ...(text.match(alone(cvc)) ?? []),
    ...(text.match(alone(accountNumber)) ?? []),
    ...(text.match(longNumber) ?? []).filter((found) => passesLuhn(found.replaceAll(/\D/g, ''))),
  ];
}

async function leaksInDatabase(database: Database): Promise<string[]> {
  const columns = await database.query<{ table: string; column: string }>(
    `select quote_ident(table_name) as table, quote_ident(column_name) as column from information_schema.columns
     join pg_tables on tablename = table_name and pg_tables.schemaname = table_schema
     where table_schema = 'public' order by 1, 2`,
  );
  const leaks: string[] = [];
  let searched = 0;
  for (const { table, column } of columns) {
    // The value has the first characters of a key, which lists show.
    if (table === 'api_key' && column === 'prefix') continue;
    const values = await database.query<{ value: string }>(
      `select ${column}::text as value from ${table} where ${column} is not null`,
    );
    searched += values.length;
    leaks.push(...values.flatMap(({ value }) => leaksIn(value).map((leak) => `${table}.${column}: ${leak}`)));
  }
  if (searched < 300)
    throw new Error(`The search found only ${searched} values in the database, which cannot be the whole database.`);
  return leaks;
}
