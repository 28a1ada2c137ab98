import { ConflictError, ProcessorError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

const server = serverWithoutWorker();
const bothChallenges = 'Bearer realm="tillhook", ApiKey realm="tillhook", header="x-api-key"';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('201 returns a hosted address, a reference and an access code', async (t) => {
  const { client } = await server().createMerchant();

  const session = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  t.true(session.success);
  t.regex(session.data.accessCode, uuid);
  t.is(session.data.checkoutUrl, `${server().url}/checkout/${session.data.accessCode}`);
  t.regex(session.data.reference, /^ref_[0-9a-z]{20}$/);
});

test('201 creates a pending payment in the currency of the merchant', async (t) => {
  const { client } = await server().createMerchant();

  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  const payment = await client.payments.get(data.reference);
  t.like(payment, {
    status: 'pending',
    amount: 500_000,
    currency: 'NGN',
    customerEmail: 'ada@example.com',
    attempts: 0,
  });
});

test('201 stores every given field', async (t) => {
  const { client } = await server().createMerchant();

  await client.checkout.create({
    email: 'ada@example.com',
    amount: 1999,
    currency: 'USD',
    reference: 'order-1042',
    description: 'Two tickets',
    callbackUrl: 'https://shop.example.com/thanks?cart=7',
    cancelUrl: 'https://shop.example.com/cart',
    metadata: { cartId: '7' },
    expiresIn: 3600,
    locale: 'en-NG',
  });

  const payment = await client.payments.get('order-1042');
  t.like(payment, {
    amount: 1999,
    currency: 'USD',
    description: 'Two tickets',
    callbackUrl: 'https://shop.example.com/thanks?cart=7',
    metadata: { cartId: '7' },
  });
  t.is(Date.parse(payment.expiresAt) - Date.parse(payment.createdAt), 3_600_000);
});

test('201 for a locale with a script, a variant or an extension, and for one of a language that the page does not have', async (t) => {
  const { client } = await server().createMerchant();

  for (const locale of [
    'ar-EG-u-nu-arab',
    'ar-Arab-EG-u-ca-islamic-umalqura-nu-arab',
    'ca-valencia',
    'sw-KE',
    'PT-br',
  ]) {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, locale });
    t.is((await fetch(data.checkoutUrl)).status, 200, locale);
  }
});

test('201 for the smallest and the largest amount', async (t) => {
  const { client } = await server().createMerchant();

  for (const amount of [1, 999_999_999_999]) {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount });
    t.is((await client.payments.get(data.reference)).amount, amount);
  }
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['an amount is missing', { email: 'ada@example.com' }, 'missing_parameter', 'amount'],
  ['an amount is a fraction', { email: 'ada@example.com', amount: 1.5 }, 'invalid_parameter', 'amount'],
  ['an amount is a string', { email: 'ada@example.com', amount: '500' }, 'invalid_parameter', 'amount'],
  ['an amount is zero', { email: 'ada@example.com', amount: 0 }, 'invalid_parameter', 'amount'],
  ['an amount is too large', { email: 'ada@example.com', amount: 1e12 }, 'invalid_parameter', 'amount'],
  ['an e-mail address is none', { email: 'ada', amount: 1 }, 'invalid_parameter', 'email'],
  ['an e-mail address is too long', { email: `${'a'.repeat(250)}@b.co`, amount: 1 }, 'invalid_parameter', 'email'],
  ['a field is unknown', { email: 'ada@example.com', amount: 1, colour: 'red' }, 'unknown_parameter', 'colour'],
  [
    'a reference is malformed',
    { email: 'ada@example.com', amount: 1, reference: 'a b c d' },
    'invalid_parameter',
    'reference',
  ],
  [
    'a reference is the word checkout',
    { email: 'ada@example.com', amount: 1, reference: 'checkout' },
    'invalid_parameter',
    'reference',
  ],
  [
    'a currency does not exist',
    { email: 'ada@example.com', amount: 1, currency: 'QQQ' },
    'unsupported_currency',
    'currency',
  ],
  [
    'a locale is no language tag',
    { email: 'ada@example.com', amount: 1, locale: 'en_NG' },
    'invalid_parameter',
    'locale',
  ],
  [
    'a locale names two regions',
    { email: 'ada@example.com', amount: 1, locale: 'en-NG-GH' },
    'invalid_parameter',
    'locale',
  ],
  [
    'a locale has an extension without a value',
    { email: 'ada@example.com', amount: 1, locale: 'ar-EG-u' },
    'invalid_parameter',
    'locale',
  ],
  [
    'a callbackUrl runs script',
    { email: 'ada@example.com', amount: 1, callbackUrl: 'javascript:alert(1)' },
    'invalid_url',
    'callbackUrl',
  ],
  ['a cancelUrl is no address', { email: 'ada@example.com', amount: 1, cancelUrl: 'shop' }, 'invalid_url', 'cancelUrl'],
  [
    'a callbackUrl holds a password',
    { email: 'ada@example.com', amount: 1, callbackUrl: 'https://a:b@c.co/' },
    'invalid_url',
    'callbackUrl',
  ],
  [
    'a description holds U+0000',
    { email: 'ada@example.com', amount: 1, description: 'a\0b' },
    'invalid_parameter',
    'description',
  ],
  [
    'metadata holds half of a surrogate pair',
    { email: 'ada@example.com', amount: 1, metadata: { a: '\ud800' } },
    'invalid_parameter',
    'metadata',
  ],
  [
    'metadata is nested',
    { email: 'ada@example.com', amount: 1, metadata: { a: { b: 'c' } } },
    'invalid_parameter',
    'metadata',
  ],
];

for (const [situation, body, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.checkout.create(body as never), { instanceOf: ValidationError });

    t.like(error, { status: 400, code, param });
    t.is((await client.payments.list()).total, 0);
  });
}

test('400 reports every problem at once', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.checkout.create({ email: 'ada', amount: 0, colour: 'red' } as never), {
    instanceOf: ValidationError,
  });

  t.deepEqual(error?.details.map(({ path }) => path).sort(), ['/amount', '/colour', '/email']);
});

const junk = 'sk_test_junk';
const headerPairs: [what: string, headers: (key: string) => Record<string, string>, status: number, code?: string][] = [
  ['the key in both headers', (key) => ({ 'x-api-key': key, authorization: `Bearer ${key}` }), 201],
  ['a key beside Basic of a proxy', (key) => ({ 'x-api-key': key, authorization: 'Basic YTpi' }), 201],
  ['another key as Bearer', (key) => ({ 'x-api-key': key, authorization: `Bearer ${junk}` }), 401, 'wrong_auth_header'],
  ['another x-api-key', (key) => ({ 'x-api-key': junk, authorization: `Bearer ${key}` }), 401, 'wrong_auth_header'],
  ['Bearer without a key', (key) => ({ 'x-api-key': key, authorization: 'Bearer' }), 401, 'wrong_auth_header'],
  ['Basic alone', () => ({ authorization: 'Basic YTpi' }), 401, 'missing_api_key'],
];

for (const [what, headersWith, status, code] of headerPairs) {
  test(`${status} for ${what}, and the call is counted once at most`, async (t) => {
    const { testKey } = await server().createMerchant();
    const headers = { 'content-type': 'application/json', ...headersWith(testKey) };

    const response = await server().request('/api/v1/payments/checkout', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'ada@example.com', amount: 1 }),
    });

    t.is(response.status, status);
    t.is((await response.json()).error?.code, code);
    if (status === 201) t.regex(response.headers.get('ratelimit') ?? '', /r=249\b/);
    else t.is(response.headers.get('www-authenticate'), bothChallenges);
  });
}

test('409 when the reference is in use', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  const again = client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  t.like(await t.throwsAsync(again, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.is((await client.payments.list()).total, 1);
});

test('201 when only another merchant uses the reference', async (t) => {
  const [one, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await one.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  const session = await other.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  t.is(session.data.reference, 'order-1042');
});

test('413 when the body is larger than 100 KiB', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(
    client.checkout.create({ email: 'ada@example.com', amount: 1, description: 'a'.repeat(102_400) }),
    { instanceOf: ValidationError },
  );

  t.like(error, { status: 413, code: 'payload_too_large' });
});

test('415 when the body is a form', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/payments/checkout', {
    method: 'POST',
    headers: { 'x-api-key': testKey, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=ada%40example.com&amount=1',
  });

  t.is(response.status, 415);
  t.is((await response.json()).error.code, 'unsupported_media_type');
});

test('503 with a live key, because no processor for real cards is configured', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.checkout.create({ email: 'ada@example.com', amount: 1 }), {
    instanceOf: ProcessorError,
  });

  t.like(error, { status: 503, code: 'processor_not_configured' });
  t.is((await liveClient.payments.list()).total, 0);
});
