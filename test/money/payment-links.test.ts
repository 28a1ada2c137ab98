import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { sendLinkForm } from '../support/money/payment-links.ts';
import { serverForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const goodCard = '4242424242424242';

async function newLink({ client }: TestMerchant, body: object) {
  return client.paymentLinks.create({ name: 'Spring fundraiser', ...body });
}

const paymentsOf = async ({ client }: TestMerchant) => (await client.payments.list()).payments;

test('each customer gets a separate checkout, also at the same time, with the values of the link', async (t) => {
  const merchant = await server().createMerchant();
  const details = { amount: 250_000, metadata: { campaign: 'spring' }, callbackUrl: 'https://shop.example.com/thanks' };
  const link = await newLink(merchant, details);

  const emails = Array.from({ length: 8 }, (_, number) => `customer-${number}@example.com`);
  const answers = await Promise.all(emails.map((email) => sendLinkForm(link.url, { email })));

  t.is(new Set(answers.map(({ checkoutUrl }) => checkoutUrl)).size, 8);
  const payments = await paymentsOf(merchant);
  t.deepEqual(payments.map(({ customerEmail }) => customerEmail).sort(), emails);
  for (const payment of payments) {
    t.like(payment, {
      ...details,
      currency: 'NGN',
      status: 'pending',
      description: 'Spring fundraiser',
      paymentLinkId: link.id,
      cancelUrl: link.url,
      lineItems: [],
    });
    const lifeMs = Date.parse(payment.expiresAt) - Date.parse(payment.createdAt);
    t.is(lifeMs, 3_600_000);
  }
});

test('a link counts the payments that complete, whichever way, each once', async (t) => {
  const merchant = await server().createMerchant();
  const link = await newLink(merchant, { amount: 250_000 });
  const begin = async () => (await sendLinkForm(link.url, {})).checkoutUrl ?? '';
  const [byCard] = [await begin(), await begin(), await begin()];
  const totals = async () => {
    const { completedPayments, completedAmount, updatedAt } = await merchant.client.paymentLinks.get(link.id);
    return { completedPayments, completedAmount, updatedAt };
  };
  t.like(await totals(), { completedPayments: 0, completedAmount: 0 });

  await payByForm(byCard, goodCard);
  const [pending] = (await merchant.client.payments.list({ status: ['pending'] })).payments;
  await merchant.client.test.completePayment(pending?.reference ?? '');
  await payByForm(byCard, goodCard);
  await merchant.client.refunds.create(pending?.reference ?? '');

  t.deepEqual(await totals(), { completedPayments: 2, completedAmount: 500_000, updatedAt: link.updatedAt });
  t.deepEqual(await ledgerBreaches(server(), merchant.id), []);
});

test('the form cannot change a fixed amount, a price, a fixed quantity, the currency or the merchant', async (t) => {
  const merchant = await server().createMerchant();
  const { id: productId } = await merchant.client.products.create({ name: 'Mug', price: 1200 });
  const fixed = await newLink(merchant, { amount: 250_000 });
  const product = await newLink(merchant, { productId, quantity: 2 });
  const forged = {
    amount: '1',
    price: '1',
    quantity: '1',
    currency: 'JPY',
    merchantId: '019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60',
    productId: '019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60',
    metadata: 'x',
    expiresIn: '604800',
  };

  await sendLinkForm(fixed.url, forged);
  await sendLinkForm(product.url, forged);

  const [second, first] = await paymentsOf(merchant);
  t.like(first, { amount: 250_000, currency: 'NGN', metadata: {} });
  t.like(second, { amount: 2400, currency: 'NGN', lineItems: [{ name: 'Mug', quantity: 2, unitAmount: 1200 }] });
});

const openAmounts: [typed: string, status: number, amount?: number][] = [
  ['500', 303, 50_000],
  ['1,000.00', 303, 100_000],
  ['500.50', 303, 50_050],
  ['499.99', 422],
  ['1000.01', 422],
  ['0', 422],
  ['-500', 422],
  ['5e2', 422],
  ['500.555', 422],
  ['', 422],
  ['NaN', 422],
  ['9'.repeat(40), 422],
];

test('an amount that the customer enters must be an amount between the limits of the link', async (t) => {
  const merchant = await server().createMerchant();
  const link = await newLink(merchant, { minAmount: 50_000, maxAmount: 100_000 });

  for (const [amount, status] of openAmounts) {
    t.is((await sendLinkForm(link.url, { amount })).status, status, amount);
  }

  const accepted = openAmounts.flatMap(([, , amount]) => amount ?? []);
  t.deepEqual((await paymentsOf(merchant)).map(({ amount }) => amount).reverse(), accepted);
});

test('without limits an amount is at least one unit and at most the highest amount of the contract', async (t) => {
  const merchant = await server().createMerchant();
  const { url } = await newLink(merchant, {});

  const statuses: number[] = [];
  for (const amount of ['0.00', '0.01', '9999999999.99', '10000000000.00'])
    statuses.push((await sendLinkForm(url, { amount })).status);

  t.deepEqual(statuses, [422, 303, 303, 422]);
});

const quantities: [typed: string, status: number][] = [
  ['1', 303],
  ['3', 303],
  ['٣', 303],
  ['0', 422],
  ['4', 422],
  ['-1', 422],
  ['1.5', 422],
  ['1e0', 422],
  ['', 422],
  ['99999', 422],
];

test('the quantity is a whole number up to the maximum of the link and to what is left of the product', async (t) => {
  const merchant = await server().createMerchant();
  const { id: productId } = await merchant.client.products.create({ name: 'Mug', price: 1200, stock: 3 });
  const link = await newLink(merchant, { productId, maxQuantity: 5 });

  for (const [quantity, status] of quantities)
    t.is((await sendLinkForm(link.url, { quantity })).status, status, quantity);

  t.deepEqual(
    (await paymentsOf(merchant)).map(({ amount }) => amount),
    [3600, 3600, 1200],
  );
});

test('a product is paid at its present price; a link takes nothing for a product that is sold out, archived or has another currency', async (t) => {
  const merchant = await server().createMerchant();
  const { products } = merchant.client;
  const { id: productId } = await products.create({ name: 'Mug', price: 1200 });
  const link = await newLink(merchant, { productId, quantity: 2 });
  const statuses: number[] = [];

  await products.update(productId, { price: 1500 });
  statuses.push((await sendLinkForm(link.url, {})).status);
  for (const changes of [{ stock: 1 }, { stock: null, isActive: false }, { isActive: true, currency: 'USD' }]) {
    if ('isActive' in changes && changes.isActive === false) await products.archive(productId);
    else await products.update(productId, changes);
    const { status, html } = await sendLinkForm(link.url, {});
    statuses.push(status);
    t.regex(html, /Not available at the moment/);
  }
  await products.update(productId, { currency: 'NGN', price: 999_999_999_999 });
  statuses.push((await sendLinkForm(link.url, {})).status);

  t.deepEqual(statuses, [303, 200, 200, 200, 200]);
  t.deepEqual(
    (await paymentsOf(merchant)).map(({ amount }) => amount),
    [3000],
  );
});

test('a link that is stopped, expired or used up takes no new checkout, and each page says why', async (t) => {
  const merchant = await server().createMerchant();
  const { paymentLinks, test: helpers } = merchant.client;
  const link = await newLink(merchant, { amount: 500, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const other = await newLink(merchant, { amount: 500, maxPayments: 1 });
  const earlier = (await sendLinkForm(link.url, {})).checkoutUrl ?? '';
  const tried = async (url: string) => {
    const { status, html } = await sendLinkForm(url, {});
    return [status, /<h1>([^<]*)/.exec(html)?.[1]];
  };

  await paymentLinks.update(link.id, { isActive: false });
  t.deepEqual(await tried(link.url), [200, 'This link is no longer in use']);
  await paymentLinks.update(link.id, { isActive: true });
  await payByForm((await sendLinkForm(other.url, {})).checkoutUrl ?? '', goodCard);
  t.deepEqual(await tried(other.url), [200, 'This link takes no more payments']);
  t.is((await paymentLinks.get(other.id)).status, 'limit_reached');
  // Choice: the customer who was there before can still pay.
  await paymentLinks.update(link.id, { isActive: false });
  t.regex((await payByForm(earlier, goodCard)).html, /Payment successful/);
  await paymentLinks.update(link.id, { isActive: true });
  const { moved } = await helpers.advanceTime({ seconds: 3600 });
  t.is(moved.paymentLinks, 1);
  t.deepEqual(await tried(link.url), [200, 'This link has expired']);

  t.is((await merchant.client.payments.list()).total, 2);
});

test('the page of an unknown link is 404, also for a link of a suspended merchant', async (t) => {
  const merchant = await server().createMerchant();
  const link = await newLink(merchant, { amount: 500 });
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);
  const urls = ['nowhere', 'a', '..%2f..%2fetc', 'x'.repeat(2000), '%00%00%00'].map(
    (slug) => `${server().url}/pay/${slug}`,
  );

  for (const url of [...urls, link.url]) {
    const response = await fetch(url);
    t.is(response.status, 404, url.slice(0, 80));
    t.regex(await response.text(), /Link not found/);
    t.is((await sendLinkForm(url, {})).status, 404);
  }
  t.is((await fetch(`${link.url}/more`)).status, 404);
});

test('a slug is found in any case, and a form of another site is refused', async (t) => {
  const merchant = await server().createMerchant();
  const slug = `mug-${Date.now()}`;
  await newLink(merchant, { amount: 500, slug });
  const url = `${server().url}/pay/${slug.toUpperCase()}`;

  t.is((await sendLinkForm(url, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await paymentsOf(merchant)).length, 0);
  t.is((await sendLinkForm(url, {})).status, 303);
});

const emails: [typed: string, status: number][] = [
  ['', 422],
  ['ada', 422],
  ['ada@', 422],
  ['ada@example.com, eve@example.com', 422],
  ['<script>@example.com', 422],
  [`${'a'.repeat(250)}@example.com`, 422],
  [' ada@example.com ', 303],
];

test('the email must be one address, and what was typed is shown again, escaped', async (t) => {
  const merchant = await server().createMerchant();
  const { url } = await newLink(merchant, { amount: 500 });

  for (const [email, status] of emails) t.is((await sendLinkForm(url, { email })).status, status, email);

  const { html } = await sendLinkForm(url, { email: '"><script>alert(1)</script>' });
  t.false(html.includes('<script>alert'));
  t.is((await paymentsOf(merchant))[0]?.customerEmail, 'ada@example.com');
});

test('payments are found by their link, and have it in the list, alone and in the CSV file', async (t) => {
  const merchant = await server().createMerchant();
  const other = await server().createMerchant();
  const [one, two] = [await newLink(merchant, { amount: 500 }), await newLink(merchant, { amount: 700 })];
  for (const { url } of [one, two, one]) await sendLinkForm(url, {});
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 500 });
  const { payments } = merchant.client;

  const found = await payments.list({ paymentLinkId: one.id });

  t.is(found.total, 2);
  t.true(found.payments.every(({ paymentLinkId, amount }) => paymentLinkId === one.id && amount === 500));
  t.is((await payments.list({ paymentLinkId: one.id, limit: 1, after: found.payments[0]?.id })).payments.length, 1);
  t.like(await payments.get(found.payments[0]?.reference ?? ''), { paymentLinkId: one.id });
  t.is((await payments.list({ paymentLinkId: one.id, status: ['completed'] })).total, 0);
  t.is((await other.client.payments.list({ paymentLinkId: one.id })).total, 0);
  const csv = await new Response(await payments.list({ paymentLinkId: two.id }).csv()).text();
  t.is(csv.trim().split('\n').length, 2);
  t.true(csv.includes(two.id));
});

test('forms are limited for each network, also for links that do not exist', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'payment_link:3/100', TRUST_PROXY: '1' });
  const merchant = await limited.createMerchant();
  const { url } = await newLink(merchant, { amount: 500 });
  const from = (address: string, path = url) => sendLinkForm(path, {}, { 'x-forwarded-for': address });

  const statuses = [
    await from('192.0.2.1'),
    await from('192.0.2.1', `${limited.url}/pay/nowhere`),
    await from('192.0.2.1'),
    await from('192.0.2.1'),
    await from('192.0.2.2'),
  ].map(({ status }) => status);

  t.deepEqual(statuses, [303, 404, 303, 429, 303]);
  t.is((await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.1' } })).status, 200);
  t.is((await merchant.client.payments.list()).total, 3);
});
