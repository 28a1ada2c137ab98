/** The page of the mock on which a checkout is paid, as a browser without script sees it. */
import './unobserved.ts';
import { readFileSync } from 'node:fs';
import { startMock } from '@tillhook/mock/api';
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { style } from '../../mock/src/html-pages/look.ts';

const mock = await startMock();
const client = new Tillhook('sk_test_mock', { baseUrl: mock.url });
test.after.always(() => mock.stop());

const shop = { callbackUrl: 'http://shop.example/thanks?cart=7&x=%20', cancelUrl: 'http://shop.example/cart' };

async function create(more: object = {}) {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, ...more });
  return data;
}

async function submit(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ attempts: '0', ...fields });
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

const textOf = async (url: string) => (await fetch(url)).text();
const statusOf = async (reference: string) => (await client.payments.get(reference)).status;

test('shows amount, email, description and line items, with nothing of them as markup', async (t) => {
  const lineItems = [
    { name: '<b>Ticket</b>', quantity: 2, unitAmount: 200_000 },
    { name: 'Fee', quantity: 1, unitAmount: 100_000 },
  ];
  const { checkoutUrl } = await create({ description: '<script>alert(1)</script>', lineItems });

  const answer = await fetch(checkoutUrl);
  const page = await answer.text();

  t.true(checkoutUrl.startsWith(`${mock.url}/checkout/`));
  t.regex(answer.headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-/);
  t.regex(page, /Pay ₦5,000\.00[\s\S]*ada@example\.com/);
  t.regex(page, /&#60;script&#62;alert\(1\)[\s\S]*&#60;b&#62;Ticket[\s\S]*2 × ₦2,000\.00[\s\S]*₦4,000\.00[\s\S]*Fee/);
  t.false(page.includes('<script'));
});

test('amounts have the decimals of their currency, and are written as the locale of the checkout says', async (t) => {
  const yen = await create({ amount: 500, currency: 'JPY' });
  const dinar = await create({ amount: 1500, currency: 'KWD' });
  const german = await create({ amount: 123_456, currency: 'EUR', locale: 'de-DE' });

  t.regex(await textOf(yen.checkoutUrl), /Pay ¥500</);
  t.regex(await textOf(dinar.checkoutUrl), /Pay KWD.1\.500</);
  t.regex(await textOf(german.checkoutUrl), /Pay 1\.234,56.€</);
});

test('paying leads to callbackUrl with reference and status after its own query', async (t) => {
  const { checkoutUrl, reference } = await create(shop);

  const { status, location } = await submit(checkoutUrl, { act: 'pay' });

  t.is(status, 303);
  t.is(location, `http://shop.example/thanks?cart=7&x=%20&reference=${reference}&status=completed`);
  t.is(await statusOf(reference), 'completed');
});

test('a second payment of a paid one changes nothing, and shows the receipt', async (t) => {
  const { checkoutUrl, reference, accessCode } = await create();
  const answers = await Promise.all([submit(checkoutUrl, { act: 'pay' }), submit(checkoutUrl, { act: 'pay' })]);
  const late = await submit(checkoutUrl, { act: 'decline' });

  t.deepEqual(answers.map(({ location }) => location).sort(), [
    `/checkout/${accessCode}`,
    `/checkout/${accessCode}?step=sent`,
  ]);
  t.is(late.location, `/checkout/${accessCode}`);
  t.regex(await textOf(`${checkoutUrl}?step=sent`), /Payment successful/);
  t.regex(await textOf(checkoutUrl), /Already paid[\s\S]*Nothing will be charged again/);
  t.like(await client.payments.get(reference), { status: 'completed', attempts: 1, failureCode: null });
});

test('a form that was sent twice declines one card, and the third decline fails the payment', async (t) => {
  const { checkoutUrl, reference } = await create(shop);
  const first = await submit(checkoutUrl, { act: 'decline' });
  await submit(checkoutUrl, { act: 'decline' });
  t.is((await client.payments.get(reference)).attempts, 1);
  t.regex(first.location ?? '', /^\/checkout\//);
  t.regex(await textOf(checkoutUrl), /The card was declined[\s\S]*2 attempts are left/);

  await submit(checkoutUrl, { act: 'decline', attempts: '1' });
  t.is(await statusOf(reference), 'pending');
  const third = await submit(checkoutUrl, { act: 'decline', attempts: '2' });

  t.is(third.location, `http://shop.example/cart?reference=${reference}&status=failed`);
  t.like(await client.payments.get(reference), { status: 'failed', attempts: 3, failureCode: 'card_declined' });
});

test('leaving returns to cancelUrl: the payment stays pending, and has failed after a decline', async (t) => {
  const { checkoutUrl, reference } = await create(shop);
  const left = await submit(checkoutUrl, { act: 'leave' });
  t.is(left.location, `http://shop.example/cart?reference=${reference}&status=pending`);
  t.is(await statusOf(reference), 'pending');

  await submit(checkoutUrl, { act: 'decline' });
  const afterwards = await submit(checkoutUrl, { act: 'leave', attempts: '1' });

  t.is(afterwards.location, `http://shop.example/cart?reference=${reference}&status=failed`);
  t.is(await statusOf(reference), 'failed');
  t.regex(await textOf(checkoutUrl), /You cancelled this payment/);
});

test('an expired checkout shows so, with a way back; one without addresses has its own pages', async (t) => {
  const { checkoutUrl, reference } = await create({ callbackUrl: shop.callbackUrl });
  const plain = await create();

  const expired = await submit(checkoutUrl, { act: 'expire' });
  const left = await submit(plain.checkoutUrl, { act: 'leave' });

  t.regex(await textOf(`${mock.url}${expired.location}`), /This link has expired[\s\S]*status=expired/);
  t.is(await statusOf(reference), 'expired');
  t.regex(await textOf(`${mock.url}${left.location}`), /You left without paying[\s\S]*nowhere to return to/);
  await client.payments.cancel(plain.reference);
  t.regex(await textOf(plain.checkoutUrl), /This payment was cancelled/);
});

test('the link of a pending example leads to a page too, and paying changes the lists', async (t) => {
  const { payments } = await client.payments.list({ status: 'pending', customerEmail: 'ada@example.com', limit: 100 });
  const examples = payments.filter(({ reference }) => reference.startsWith('order-1045'));
  const [one, other] = examples;

  t.is(new Set(examples.map(({ checkoutUrl }) => checkoutUrl)).size, examples.length);
  t.regex(await textOf(one?.checkoutUrl ?? ''), /Pay \$19\.99/);
  await submit(one?.checkoutUrl ?? '', { act: 'pay' });

  const after = await client.payments.list({ reference: one?.reference ?? '' });
  t.like(after, { total: 1, payments: [{ status: 'completed' }] });
  t.is(await statusOf(other?.reference ?? ''), 'pending');
});

test('what is no payment, form or button of the page gets a page that says so, and changes nothing', async (t) => {
  const { checkoutUrl, reference } = await create();
  const huge = { act: 'pay', more: 'x'.repeat(2_000_000) };
  const put = await fetch(checkoutUrl, { method: 'PUT' });
  const json = await fetch(checkoutUrl, { method: 'POST', body: '{"act":"pay"}', redirect: 'manual' });
  const bare = await fetch(checkoutUrl, { method: 'POST', redirect: 'manual' });

  t.deepEqual([put.status, put.headers.get('allow'), json.status, bare.status], [405, 'GET, HEAD, POST', 400, 400]);
  t.is((await submit(checkoutUrl, huge)).status, 413);
  t.is((await submit(checkoutUrl, { act: 'steal' })).status, 400);
  t.is((await submit(checkoutUrl, { act: 'pay' }, { 'sec-fetch-site': 'cross-site' })).status, 403);
  for (const path of ['', '/', '/nothing', '/00000000-0000-4000-8000-000000000000', '/%00', '/%', '/a/b/c']) {
    const answer = await fetch(`${mock.url}/checkout${path}`);
    t.is(answer.status, 404, path);
    t.regex(await answer.text(), /Payment not found/);
    t.is((await fetch(`${mock.url}/checkout${path}`, { method: 'POST', body: 'act=pay' })).status, 404);
  }
  t.is(await statusOf(reference), 'pending');
});

test('links in answers lead to the address by which the caller came, and docUrl to a page that names the code', async (t) => {
  const order = { email: 'ada@example.com', amount: 1, callbackUrl: 'http://localhost:3000/thanks' };
  const created = await create(order);
  const { callbackUrl } = await client.payments.get(created.reference);
  const refused = await fetch(`${mock.url}/api/v1/payments/mock-not-found`, {
    headers: { 'x-api-key': 'sk_test_mock', authorization: 'Bearer sk_test_mock' },
  });
  const { error } = (await refused.json()) as { error: { docUrl: string; code: string } };

  t.is(callbackUrl, 'http://localhost:3000/thanks');
  t.is(error.docUrl, `${mock.url}/docs/errors#resource_not_found`);
  t.regex(await textOf(error.docUrl), /id="resource_not_found"/);
});

test('the colours of the page are those of the product', (t) => {
  const product = readFileSync(new URL('../../server/look/tokens.css', import.meta.url), 'utf8');
  const tokensOf = (sheet: string) =>
    sheet
      .split('prefers-color-scheme')
      .map((part) => new Map([...part.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])));
  const [own, theirs] = [tokensOf(style), tokensOf(product)];

  for (const [scheme, tokens] of own.entries()) {
    t.true(tokens.size > 10);
    for (const [name, value] of tokens) t.is(value, theirs[scheme]?.get(name), `${name} in scheme ${scheme}`);
  }
});
