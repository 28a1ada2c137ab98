import { NotFoundError } from '@tillhook/sdk';
import { firstIdAt } from '@tillhook/server/src/kit/ids.ts';
import { addCustomers, countLargeCustomers } from '@tillhook/server/src/money/customers/add-customers.ts';
import { inBatches } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { contextAt } from '../statistics/owners.ts';
import { serverWithContext, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

interface Paid {
  amount?: number;
  currency?: string;
  isOpen?: boolean;
}

async function pay({ client }: TestMerchant, email: string, { amount = 500, currency = 'NGN', isOpen }: Paid = {}) {
  const { data } = await client.checkout.create({ email, amount, currency });
  if (!isOpen) await client.testHelpers.completePayment(data.reference);
  return data.reference;
}

/** Lets the job add up all payments, also those of the last minutes. */
async function addUp({ id }: TestMerchant): Promise<void> {
  const context = contextAt(server(), { now: new Date(), merchantId: id });
  const end = firstIdAt(new Date(Date.now() + 1000));
  await inBatches(context, (transaction) => addCustomers(transaction, end));
  await countLargeCustomers(context);
}

const emailsOf = async ({ client }: TestMerchant, query: object = {}) =>
  (await client.customers.list(query)).customers.map(({ email }) => email);

test.serial(
  'listCustomers 200 groups payments by the address in lower case, and counts them by currency',
  async (t) => {
    const merchant = await server().createMerchant();
    const { client } = merchant;
    await client.checkout.create({ email: 'Ada@Example.com', amount: 900, reference: 'order-1042' });
    await client.testHelpers.completePayment('order-1042');
    await pay(merchant, 'grace@example.org', { isOpen: true });
    await pay(merchant, 'ada@example.com', { amount: 1999, currency: 'USD' });
    await pay(merchant, 'ADA@example.com', { amount: 300 });
    await pay(merchant, 'ada@example.com', { isOpen: true });
    await client.refunds.create('order-1042', { amount: 200 });

    const { customers, total } = await client.customers.list();

    t.is(total, 2);
    t.deepEqual(
      customers.map(({ id: _, firstPaymentAt, lastPaymentAt, ...others }) => ({
        ...others,
        isInOrder: firstPaymentAt <= lastPaymentAt,
      })),
      [
        {
          email: 'ada@example.com',
          payments: 4,
          completedPayments: 3,
          volumes: [
            { currency: 'NGN', payments: 2, amount: 1200, amountRefunded: 200 },
            { currency: 'USD', payments: 1, amount: 1999, amountRefunded: 0 },
          ],
          mode: 'test',
          countedAt: null,
          isInOrder: true,
        },
        {
          email: 'grace@example.org',
          payments: 1,
          completedPayments: 0,
          volumes: [],
          mode: 'test',
          countedAt: null,
          isInOrder: true,
        },
      ],
    );
    const [payment] = (await client.payments.list({ order: 'asc', limit: 1 })).payments;
    t.is(customers[0]?.firstPaymentAt, payment?.createdAt);
  },
);

test.serial(
  'listCustomers 200 lists the customer who paid last first, before and after the job has added the payments up',
  async (t) => {
    const merchant = await server().createMerchant();
    const inOrder = ['c@example.com', 'b@example.com', 'a@example.com'];
    for (const email of ['a@example.com', 'b@example.com', 'a@example.com', 'b@example.com', 'c@example.com'])
      await pay(merchant, email);
    const before = (await merchant.client.customers.list()).customers;
    await addUp(merchant);
    const after = (await merchant.client.customers.list()).customers;

    t.deepEqual(
      before.map(({ email }) => email),
      inOrder,
    );
    t.deepEqual(
      after.map(({ email }) => email),
      inOrder,
    );
    t.deepEqual(
      after.map(({ payments }) => payments),
      [1, 2, 2],
    );
    const [row] = await server().database.query<{ customers: number; payments: number }>(
      'select count(*)::int as customers, sum(payments)::int as payments from customer where merchant_id = $1',
      [merchant.id],
    );
    t.deepEqual(row, { customers: 3, payments: 5 });

    // A customer whose older payments are in the table pays again, and another pays for the first time.
    await pay(merchant, 'a@example.com');
    await pay(merchant, 'd@example.com');
    t.deepEqual(await emailsOf(merchant), ['d@example.com', 'a@example.com', 'c@example.com', 'b@example.com']);
    t.deepEqual(await emailsOf(merchant, { order: 'asc', limit: 2 }), ['b@example.com', 'c@example.com']);
    t.deepEqual(await emailsOf(merchant, { limit: 2, offset: 1 }), ['a@example.com', 'c@example.com']);
    const second = await merchant.client.customers.list({ limit: 2 });
    t.deepEqual(await emailsOf(merchant, { after: second.customers[1]?.id }), ['c@example.com', 'b@example.com']);
    t.is(second.total, 4);
  },
);

test.serial(
  'listCustomers 200 finds customers by a part of the address, in new payments and in those that were added up',
  async (t) => {
    const merchant = await server().createMerchant();
    for (const email of ['ada.lovelace@example.com', 'grace@example.org', 'Ada.Byron@example.net'])
      await pay(merchant, email);
    const search = async () => [
      await emailsOf(merchant, { search: 'ADA' }),
      await emailsOf(merchant, { search: 'lovel example' }),
      await emailsOf(merchant, { search: 'nobody-paid' }),
    ];
    const expected = [['ada.byron@example.net', 'ada.lovelace@example.com'], ['ada.lovelace@example.com'], []];

    t.deepEqual(await search(), expected);
    await addUp(merchant);
    t.deepEqual(await search(), expected);
    t.is((await merchant.client.customers.list({ search: 'ada' })).total, 2);
  },
);

test.serial('listCustomers 200 has only customers of the own merchant and of the mode', async (t) => {
  const [ada, grace] = [await server().createMerchant(), await server().createMerchant()];
  await pay(ada, 'same@example.com', { amount: 100 });
  await pay(grace, 'same@example.com', { amount: 900 });
  await addUp(grace);
  await addUp(ada);

  const { customers } = await ada.client.customers.list({ search: 'same' });
  t.deepEqual(
    customers.map(({ email, payments, volumes }) => [email, payments, volumes[0]?.amount]),
    [['same@example.com', 1, 100]],
  );
  t.deepEqual(await ada.liveClient.customers.list(), { customers: [], total: 0 });
  const [other] = (await grace.client.customers.list()).customers;
  await t.throwsAsync(ada.client.customers.list({ after: other?.id ?? '' }), { message: /^after / });
});

test.serial(
  'listCustomers 200 says when the payments of a customer with more than 1,000 payments were counted',
  async (t) => {
    const merchant = await server().createMerchant();
    await server().database.query(
      `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, created_at, updated_at)
     select ('01900000-0000-7000-8002-' || lpad(to_hex(n), 4, '0') || substr($1, 29))::uuid, $1::uuid, 'test', 'many-' || n,
       gen_random_uuid(), 5, 'NGN', case when n % 2 = 0 then 'completed' else 'expired' end, 'desk@example.com', '{}', 0,
       now(), now(), now() from generate_series(1, 1001) as n`,
      [merchant.id],
    );
    await server().database.query(
      `update search_progress set until = '00000000-0000-0000-0000-000000000000' where kind = 'customer'`,
    );
    await server().database.query('delete from customer');
    await addUp(merchant);

    const [customer] = (await merchant.client.customers.list()).customers;

    t.like(customer, {
      payments: 1001,
      completedPayments: 500,
      volumes: [{ currency: 'NGN', payments: 500, amount: 2500 }],
    });
    t.true(Date.now() - Date.parse(customer?.countedAt ?? '') < 60_000);
    t.deepEqual(await merchant.client.customers.get(customer?.id ?? ''), customer);
  },
);

test.serial('listCustomers 200 with `email` has the one customer, in any case of the address', async (t) => {
  const merchant = await server().createMerchant();
  for (const email of ['Ada+shop@example.com', 'ada@example.com', 'ADA+shop@example.com']) await pay(merchant, email);
  const found = async () => merchant.client.customers.list({ email: 'ada+SHOP@example.com' });
  const before = await found();
  await addUp(merchant);

  t.deepEqual([before.total, before.customers[0]?.email], [1, 'ada+shop@example.com']);
  t.deepEqual(await found(), before);
  t.is((await merchant.client.customers.list({ email: 'ada+shop@example.com', search: 'grace' })).total, 0);
});

test.serial('getCustomer 200 returns a customer by the id that stays the same', async (t) => {
  const merchant = await server().createMerchant();
  await pay(merchant, 'Ada+shop@example.com');
  const [first] = (await merchant.client.customers.list()).customers;
  const id = first?.id ?? '';

  t.deepEqual(await merchant.client.customers.get(id), first);
  await addUp(merchant);
  t.deepEqual(await merchant.client.customers.get(id), first);
  await pay(merchant, 'ada+shop@example.com');
  t.like(await merchant.client.customers.get(id), { id, email: 'ada+shop@example.com', payments: 2 });
});

test.serial('getCustomer 404 for the id of a payment, of another merchant and of the other mode', async (t) => {
  const [ada, grace] = [await server().createMerchant(), await server().createMerchant()];
  const reference = await pay(grace, 'ada@example.com');
  const [customer] = (await grace.client.customers.list()).customers;
  const { id: first } = await grace.client.payments.get(reference);
  await pay(grace, 'ada@example.com');
  const [second] = (await grace.client.payments.list({ limit: 1 })).payments;
  const withVersion8 = (id = '') => `${id.slice(0, 14)}8${id.slice(15)}`;

  t.is(customer?.id, withVersion8(first));
  for (const { client, id } of [
    { client: ada.client, id: withVersion8(first) },
    { client: grace.liveClient, id: withVersion8(first) },
    { client: grace.client, id: first },
    { client: grace.client, id: withVersion8(second?.id) },
  ])
    await t.throwsAsync(client.customers.get(id), { instanceOf: NotFoundError });
});
