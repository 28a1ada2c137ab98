/** `createCheckout` with line items: what is kept, and which items are refused. */
import { ConflictError, TillhookError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

const server = serverWithoutWorker();
const email = 'ada@example.com';
const item = { name: 'Ticket', quantity: 1, unitAmount: 1 };
const most = 999_999_999_999;

/** 200 letters each: Latin, Arabic, Devanagari, Chinese, Georgian, and letters of two UTF-16 units each. */
const longNames = ['é', 'ش', 'न', '票', 'ქ', '𝔸'].map((letter) => letter.repeat(200));

test('201 keeps the items in their order, and the payment shows them', async (t) => {
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

test('201 without items, and the payment has an empty list', async (t) => {
  const { client } = await server().createMerchant();

  const { data } = await client.checkout.create({ email, amount: 1999 });

  t.deepEqual((await client.payments.get(data.reference)).lineItems, []);
});

test('201 for fifty items, and for names of 200 letters in six scripts', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = Array.from({ length: 50 }, (_, index) => ({ ...item, name: longNames[index % 6] ?? '' }));

  const { data } = await client.checkout.create({ email, amount: 50, lineItems });

  t.deepEqual((await client.payments.get(data.reference)).lineItems, lineItems);
});

const sums: [situation: string, amount: number, items: [quantity: number, unitAmount: number][], sums: string][] = [
  ['the items make more', 1999, [[2, 1000]], 'the items make 2000, and amount is 1999'],
  ['the items make less', 1999, [[1, 1998]], 'the items make 1998, and amount is 1999'],
  ['the items make nothing', 1, [[9999, 0]], 'the items make 0, and amount is 1'],
  [
    'the items make more than a number can hold exactly',
    most,
    Array.from({ length: 50 }, () => [9999, most]),
    'the items make 499949999999500050, and amount is 999999999999',
  ],
];

for (const [situation, amount, items, words] of sums) {
  test(`400 when ${situation}, and the message has both sums`, async (t) => {
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

const refused: [situation: string, lineItems: unknown, path: string][] = [
  ['there are 51 items', Array.from({ length: 51 }, () => item), '/lineItems'],
  ['the list is empty', [], '/lineItems'],
  ['the list is none', { 0: item }, '/lineItems'],
  ['an item is null', [null], '/lineItems/0'],
  ['a name has 201 letters', [{ ...item, name: '𝔸'.repeat(201) }], '/lineItems/0/name'],
  ['a name is empty', [{ ...item, name: '' }], '/lineItems/0/name'],
  ['a name holds U+0000', [{ ...item, name: 'a\0' }], '/lineItems/0/name'],
  ['a name holds half of a surrogate pair', [{ ...item, name: '\ud800' }], '/lineItems/0/name'],
  ['a quantity is zero', [{ ...item, quantity: 0 }], '/lineItems/0/quantity'],
  ['a quantity is too large', [{ ...item, quantity: 10_000 }], '/lineItems/0/quantity'],
  ['a quantity is a fraction', [{ ...item, quantity: 1.5 }], '/lineItems/0/quantity'],
  ['a price is negative', [item, { ...item, unitAmount: -1 }], '/lineItems/1/unitAmount'],
  ['a price is beyond every number', [{ ...item, unitAmount: 1e308 }], '/lineItems/0/unitAmount'],
  ['a price is missing', [{ name: 'Ticket', quantity: 1 }], '/lineItems/0/unitAmount'],
  ['a field of an item is unknown', [{ ...item, colour: 'red' }], '/lineItems/0/colour'],
];

for (const [situation, lineItems, path] of refused) {
  test(`400 when ${situation}, and only that is reported`, async (t) => {
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

test('400 for 51 items, in plain words', async (t) => {
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

test('400 for a long name of an item, and the message says of which one', async (t) => {
  const { client } = await server().createMerchant();
  const lineItems = [item, { ...item, name: '𝔸'.repeat(201) }];

  const error = await t.throwsAsync(client.checkout.create({ email, amount: 2, lineItems }), {
    instanceOf: ValidationError,
  });

  t.is(error?.message, 'lineItems/1/name has 201 characters; at most 200 are allowed');
});

test('400 when the amount is wrong, and the sum is not compared with it', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.checkout.create({ email, amount: '1', lineItems: [item] } as never), {
    instanceOf: ValidationError,
  });

  t.deepEqual(
    error?.details.map((detail) => detail.path),
    ['/amount'],
  );
});

test('409 for a reference in use, also with other items, and the items stay', async (t) => {
  const { client } = await server().createMerchant();
  const details = { email, amount: 2, reference: 'order-1042' };
  await client.checkout.create({ ...details, lineItems: [{ ...item, quantity: 2 }] });

  const again = client.checkout.create({ ...details, lineItems: [item, item] });

  await t.throwsAsync(again, { instanceOf: ConflictError });
  t.deepEqual((await client.payments.get('order-1042')).lineItems, [{ ...item, quantity: 2 }]);
});

test('422 for an idempotency key that comes again with other items, and the same answer with the same ones', async (t) => {
  const { client } = await server().createMerchant();
  const options = { idempotencyKey: 'cart-7' };
  const first = await client.checkout.create({ email, amount: 2, lineItems: [{ ...item, quantity: 2 }] }, options);

  const same = await client.checkout.create({ email, amount: 2, lineItems: [{ ...item, quantity: 2 }] }, options);
  const other = client.checkout.create({ email, amount: 2, lineItems: [item, item] }, options);

  t.deepEqual(same.data, first.data);
  t.like(await t.throwsAsync(other, { instanceOf: TillhookError }), { status: 422, code: 'idempotency_key_reused' });
});
