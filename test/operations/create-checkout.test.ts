import { ConflictError, ProcessorError, TillhookError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

const server = serverWithoutWorker();
const bothChallenges = 'Bearer realm="tillhook", ApiKey realm="tillhook", header="x-api-key"';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('createCheckout 201 returns the URL of the hosted page, a reference and an access code', async (t) => {
  const { client } = await server().createMerchant();

  const session = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  t.true(session.success);
  t.regex(session.data.accessCode, uuid);
  t.is(session.data.checkoutUrl, `${server().url}/checkout/${session.data.accessCode}`);
  t.regex(session.data.reference, /^ref_[0-9a-z]{20}$/);
});

test('createCheckout 201 creates a pending payment in the currency of the merchant', async (t) => {
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

test('createCheckout 201 stores every given field', async (t) => {
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

test('createCheckout 201 for a locale with a script, a variant or an extension, and for a language without a translation', async (t) => {
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

test('createCheckout 201 for the smallest and the largest amount', async (t) => {
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
  ['an e-mail address is invalid', { email: 'ada', amount: 1 }, 'invalid_parameter', 'email'],
  ['an e-mail address is too long', { email: `${'a'.repeat(250)}@b.co`, amount: 1 }, 'invalid_parameter', 'email'],
  [
    'the receipt is not a boolean',
    { email: 'ada@example.com', amount: 1, receipt: 'no' },
    'invalid_parameter',
    'receipt',
  ],
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
    'a locale is not a language tag',
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
    'a callbackUrl has the scheme javascript',
    { email: 'ada@example.com', amount: 1, callbackUrl: 'javascript:alert(1)' },
    'invalid_url',
    'callbackUrl',
  ],
  ['a cancelUrl is not a URL', { email: 'ada@example.com', amount: 1, cancelUrl: 'shop' }, 'invalid_url', 'cancelUrl'],
  [
    'a callbackUrl contains a password',
    { email: 'ada@example.com', amount: 1, callbackUrl: 'https://a:b@c.co/' },
    'invalid_url',
    'callbackUrl',
  ],
  [
    'a description contains U+0000',
    { email: 'ada@example.com', amount: 1, description: 'a\0b' },
    'invalid_parameter',
    'description',
  ],
  [
    'metadata contains half of a surrogate pair',
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
  test(`createCheckout 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.checkout.create(body as never), { instanceOf: ValidationError });

    t.like(error, { status: 400, code, param });
    t.is((await client.payments.list()).total, 0);
  });
}

test('createCheckout 400 reports every problem at once', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.checkout.create({ email: 'ada', amount: 0, colour: 'red' } as never), {
    instanceOf: ValidationError,
  });

  t.deepEqual(error?.details.map(({ path }) => path).sort(), ['/amount', '/colour', '/email']);
});

const junk = 'sk_test_junk';
const headerPairs: [what: string, headers: (key: string) => Record<string, string>, status: number, code?: string][] = [
  ['the same key in both headers', (key) => ({ 'x-api-key': key, authorization: `Bearer ${key}` }), 201],
  [
    'a key in x-api-key and the Basic credentials of a proxy',
    (key) => ({ 'x-api-key': key, authorization: 'Basic YTpi' }),
    201,
  ],
  [
    'a different key as Bearer',
    (key) => ({ 'x-api-key': key, authorization: `Bearer ${junk}` }),
    401,
    'wrong_auth_header',
  ],
  ['another x-api-key', (key) => ({ 'x-api-key': junk, authorization: `Bearer ${key}` }), 401, 'wrong_auth_header'],
  ['Bearer without a key', (key) => ({ 'x-api-key': key, authorization: 'Bearer' }), 401, 'wrong_auth_header'],
  ['Basic alone', () => ({ authorization: 'Basic YTpi' }), 401, 'missing_api_key'],
];

for (const [what, headersWith, status, code] of headerPairs) {
  test(`createCheckout ${status} for ${what}, and the call counts at most once against the rate limit`, async (t) => {
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

test('createCheckout 409 when the reference is in use', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  const again = client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  t.like(await t.throwsAsync(again, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.is((await client.payments.list()).total, 1);
});

test('createCheckout 201 when only another merchant uses the reference', async (t) => {
  const [one, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await one.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  const session = await other.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1042' });

  t.is(session.data.reference, 'order-1042');
});

test('createCheckout 413 when the body is larger than 100 KiB', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(
    client.checkout.create({ email: 'ada@example.com', amount: 1, description: 'a'.repeat(102_400) }),
    { instanceOf: ValidationError },
  );

  t.like(error, { status: 413, code: 'payload_too_large' });
});

test('createCheckout 415 when the body is a form', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/payments/checkout', {
    method: 'POST',
    headers: { 'x-api-key': testKey, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=ada%40example.com&amount=1',
  });

  t.is(response.status, 415);
  t.is((await response.json()).error.code, 'unsupported_media_type');
});

test('createCheckout 503 with a live key, because no processor for real cards is configured', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.checkout.create({ email: 'ada@example.com', amount: 1 }), {
    instanceOf: ProcessorError,
  });

  t.like(error, { status: 503, code: 'processor_not_configured' });
  t.is((await liveClient.payments.list()).total, 0);
});

const email = 'ada@example.com';
const item = { name: 'Ticket', quantity: 1, unitAmount: 1 };
const maxAmount = 999_999_999_999;

const longNames = ['é', 'ش', 'न', '票', 'ქ', '𝔸'].map((letter) => letter.repeat(200));

test('createCheckout 201 keeps the items in their order, and the payment shows them', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = [
    { name: 'Ticket', quantity: 2, unitAmount: 950 },
    { name: 'Gift', quantity: 1, unitAmount: 0 },
    { name: 'Booking fee', quantity: 1, unitAmount: 99 },
  ];

  const { data } = await client.checkout.create({ email, amount: 1999, lineItems });

  t.deepEqual((await client.payments.get(data.reference)).lineItems, lineItems);
  t.deepEqual((await client.payments.list()).payments[0]?.lineItems, lineItems);
});

test('createCheckout 201 without items, and the payment has an empty list', async (t) => {
  const { client } = await server().createMerchant();

  const { data } = await client.checkout.create({ email, amount: 1999 });

  t.deepEqual((await client.payments.get(data.reference)).lineItems, []);
});

test('createCheckout 201 for fifty items, and for names of 200 letters in six scripts', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = Array.from({ length: 50 }, (_, index) => ({ ...item, name: longNames[index % 6] ?? '' }));

  const { data } = await client.checkout.create({ email, amount: 50, lineItems });

  t.deepEqual((await client.payments.get(data.reference)).lineItems, lineItems);
});

const sums: [situation: string, amount: number, items: [quantity: number, unitAmount: number][], sums: string][] = [
  ['the items add up to more than the amount', 1999, [[2, 1000]], 'the items make 2000, and amount is 1999'],
  ['the items add up to less than the amount', 1999, [[1, 1998]], 'the items make 1998, and amount is 1999'],
  ['the items add up to zero', 1, [[9999, 0]], 'the items make 0, and amount is 1'],
  [
    'the items add up to more than a number can hold exactly',
    maxAmount,
    Array.from({ length: 50 }, () => [9999, maxAmount]),
    'the items make 499949999999500050, and amount is 999999999999',
  ],
];

for (const [situation, amount, items, words] of sums) {
  test(`createCheckout 400 when ${situation}, and the message has the sum of the items and the amount`, async (t) => {
    const { client } = await server().createMerchant();
    const lineItems = items.map(([quantity, unitAmount]) => ({ name: 'Ticket', quantity, unitAmount }));

    const error = await t.throwsAsync(client.checkout.create({ email, amount, lineItems }), {
      instanceOf: ValidationError,
    });

    t.like(error, { status: 400, code: 'invalid_parameter', param: 'lineItems' });
    t.is(error?.message, `lineItems must add up to amount: ${words}`);
    t.is((await client.payments.list()).total, 0);
  });
}

const refusedLines: [situation: string, lineItems: unknown, path: string][] = [
  ['there are 51 items', Array.from({ length: 51 }, () => item), '/lineItems'],
  ['the list is empty', [], '/lineItems'],
  ['the list is not an array', { 0: item }, '/lineItems'],
  ['an item is null', [null], '/lineItems/0'],
  ['a name has 201 letters', [{ ...item, name: '𝔸'.repeat(201) }], '/lineItems/0/name'],
  ['a name is empty', [{ ...item, name: '' }], '/lineItems/0/name'],
  ['a name contains U+0000', [{ ...item, name: 'a\0' }], '/lineItems/0/name'],
  ['a name contains half of a surrogate pair', [{ ...item, name: '\ud800' }], '/lineItems/0/name'],
  ['a quantity is zero', [{ ...item, quantity: 0 }], '/lineItems/0/quantity'],
  ['a quantity is too large', [{ ...item, quantity: 10_000 }], '/lineItems/0/quantity'],
  ['a quantity is a fraction', [{ ...item, quantity: 1.5 }], '/lineItems/0/quantity'],
  ['a price is negative', [item, { ...item, unitAmount: -1 }], '/lineItems/1/unitAmount'],
  ['a price is far above the maximum', [{ ...item, unitAmount: 1e308 }], '/lineItems/0/unitAmount'],
  ['a price is missing', [{ name: 'Ticket', quantity: 1 }], '/lineItems/0/unitAmount'],
  ['a field of an item is unknown', [{ ...item, colour: 'red' }], '/lineItems/0/colour'],
];

for (const [situation, lineItems, path] of refusedLines) {
  test(`createCheckout 400 when ${situation}, and no other problem is reported`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.checkout.create({ email, amount: 1, lineItems } as never), {
      instanceOf: ValidationError,
    });

    t.is(error?.status, 400);
    t.is(error?.param, 'lineItems');
    t.deepEqual(
      error?.details.map((detail) => detail.path),
      [path],
    );
    t.is((await client.payments.list()).total, 0);
  });
}

test('createCheckout 400 for 51 items, and the message has the number of items', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = Array.from({ length: 51 }, () => item);

  const error = await t.throwsAsync(client.checkout.create({ email, amount: 51, lineItems }), {
    instanceOf: ValidationError,
  });

  t.is(error?.message, 'lineItems has 51 items; at most 50 are allowed');
  t.deepEqual(error?.details, [
    { path: '/lineItems', code: 'maxItems', message: 'has 51 items; at most 50 are allowed' },
  ]);
});

test('createCheckout 400 for a long name of an item, and the message has the path of that item', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = [item, { ...item, name: '𝔸'.repeat(201) }];

  const error = await t.throwsAsync(client.checkout.create({ email, amount: 2, lineItems }), {
    instanceOf: ValidationError,
  });

  t.is(error?.message, 'lineItems/1/name has 201 characters; at most 200 are allowed');
});

test('createCheckout 400 when the amount is invalid, and the sum of the items is not compared with the amount', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.checkout.create({ email, amount: '1', lineItems: [item] } as never), {
    instanceOf: ValidationError,
  });

  t.deepEqual(
    error?.details.map((detail) => detail.path),
    ['/amount'],
  );
});

test('createCheckout 409 when the reference is in use, even if the items differ, and the stored items do not change', async (t) => {
  const { client } = await server().createMerchant();
  const details = { email, amount: 2, reference: 'order-1042' };
  await client.checkout.create({ ...details, lineItems: [{ ...item, quantity: 2 }] });

  const again = client.checkout.create({ ...details, lineItems: [item, item] });

  await t.throwsAsync(again, { instanceOf: ConflictError });
  t.deepEqual((await client.payments.get('order-1042')).lineItems, [{ ...item, quantity: 2 }]);
});

test('createCheckout 422 when an idempotency key is repeated with other items; a repetition with the same items gets the same answer', async (t) => {
  const { client } = await server().createMerchant();
  const options = { idempotencyKey: 'cart-7' };
  const first = await client.checkout.create({ email, amount: 2, lineItems: [{ ...item, quantity: 2 }] }, options);

  const same = await client.checkout.create({ email, amount: 2, lineItems: [{ ...item, quantity: 2 }] }, options);
  const other = client.checkout.create({ email, amount: 2, lineItems: [item, item] }, options);

  t.deepEqual(same.data, first.data);
  t.like(await t.throwsAsync(other, { instanceOf: TillhookError }), { status: 422, code: 'idempotency_key_reused' });
});
