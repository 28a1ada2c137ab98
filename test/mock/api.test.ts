import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { type ErrorBody, readContract } from '@tillhook/openapi';
import test from 'ava';
import { createSchemas } from '../../mock/src/requests/schemas.ts';
import './unobserved.ts';
import { readFileSync } from 'node:fs';
import { Tillhook } from '@tillhook/sdk';
import { style } from '../../mock/src/pages/look.ts';
import { createFront } from '../../mock/src/service/front.ts';
import { type Change, changedContract } from '../support/calls/changed-contract.ts';

const mock = await startMock();
test.after.always(() => mock.stop());

const errorIn = async (answer: Response) => ((await answer.json()) as ErrorBody).error;

const bearer = { Authorization: 'Bearer sk_test_mock' };
const transfers = `${mock.url}/api/v1/transfers`;

test('the mock answers with the example that the caller prefers', async (t) => {
  const answer = await fetch(transfers, { headers: { ...bearer, Prefer: 'example=empty' } });

  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { transfers: [], total: 0 });
});

test('a caller can also send preferences in the query, for example in a link', async (t) => {
  const answer = await fetch(`${transfers}?__code=401&__example=wrongHeader`, { headers: bearer });

  t.is(answer.status, 401);
  t.is((await errorIn(answer)).code, 'wrong_auth_header');
});

test('the mock generates an answer from the schema if the caller asks for it, and repeats the answer for the same seed', async (t) => {
  const fits = createSchemas(readContract().document).ofJson('/components/schemas/Transfer');
  for (const seed of ['1', '2', '3', '4']) {
    const ask = () => fetch(transfers, { headers: { ...bearer, Prefer: `dynamic=true, seed=${seed}` } });
    const body = await (await ask()).text();

    const [first] = (JSON.parse(body) as { transfers: { reference: string }[] }).transfers;
    t.true(fits(first), JSON.stringify(fits.errors));
    t.not(first?.reference, 'payout-77');
    t.is(await (await ask()).text(), body);
  }
});

test('400 with a list of the documented answers when the contract does not have the preferred answer', async (t) => {
  const wishes = [
    'code=418',
    'code=200, example=nothing',
    'example=nothing',
    'dynamic=maybe',
    'wait=soon',
    'wait=30001',
  ];
  for (const wish of wishes) {
    const answer = await fetch(transfers, { headers: { ...bearer, Prefer: wish } });

    t.is(answer.status, 400);
    t.like(await errorIn(answer), { code: 'invalid_parameter', param: 'Prefer' });
  }
});

test('400 with a list of the known preferences for an unknown preference in the query; in the header it is ignored', async (t) => {
  const [unknown, mistyped] = [
    await fetch(`${transfers}?__nope=1`, { headers: bearer }),
    await fetch(`${transfers}?__cod=404`, { headers: bearer }),
  ];
  const preferred = await fetch(transfers, {
    headers: { ...bearer, Prefer: 'respond-async, status-code=404, cod=404, example=empty' },
  });

  t.deepEqual([unknown.status, mistyped.status, preferred.status], [400, 400, 200]);
  t.like(await errorIn(unknown), { code: 'unknown_parameter', param: '__nope' });
  const { message } = (await mistyped.json()) as ErrorBody;
  t.is(message, '__cod is not one of __code, __example, __dynamic, __seed, __wait');
  t.deepEqual(await preferred.json(), { transfers: [], total: 0 });
});

test('the mock waits as long as the caller prefers', async (t) => {
  const startedAt = performance.now();
  const answer = await fetch(`${transfers}?__wait=60`, { headers: { ...bearer, Prefer: 'wait=50' } });

  t.is(answer.status, 200);
  t.true(performance.now() - startedAt >= 48);
});

test('400 when the body is not JSON', async (t) => {
  const answer = await fetch(`${mock.url}/api/v1/payments/checkout`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk_test_mock', 'Content-Type': 'application/json' },
    body: '{"email":',
    signal: AbortSignal.timeout(60_000),
  });

  t.is(answer.status, 400);
  t.is((await errorIn(answer)).code, 'invalid_json');
});

test('400 when the callbackUrl of a live payment does not use TLS', async (t) => {
  const ask = (key: string) =>
    fetch(`${mock.url}/api/v1/payments/checkout`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', amount: 1, callbackUrl: 'http://shop.example.com' }),
    });

  t.is((await ask('sk_test_mock')).status, 201);
  const refused = await ask('sk_live_mock');
  t.is(refused.status, 400);
  t.like(await errorIn(refused), { code: 'invalid_url', param: 'callbackUrl' });
});

test('a refund on the mock belongs to the payment in the path, and without an amount it is the example of a full refund', async (t) => {
  const refund = async (body?: object) => {
    const headers = { ...bearer, ...(body && { 'Content-Type': 'application/json' }) };
    const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${mock.url}/api/v1/payments/order-1047/refunds`, init);
    return [answer.status, await answer.json()] as const;
  };
  const { operationById } = readContract().model;
  const rest = operationById.get('createRefund')?.success.content?.examples.get('rest')?.value as object;
  const left = { ...rest, paymentReference: 'order-1047' };

  const [status, part] = await refund({ amount: 700, reference: 'refund-7' });
  t.is(status, 201);
  t.like(part, { paymentReference: 'order-1047', reference: 'refund-7', amount: 700 });
  const [, named] = await refund({ amount: 700 });
  t.like(named, { paymentReference: 'order-1047', reference: 'refund-1042' });
  t.deepEqual(await refund(), [201, left]);
  t.deepEqual(await refund({ reason: 'Too late' }), [201, { ...left, reason: 'Too late' }]);
});

test('the mock answers HEAD like GET, and answers with JSON for any Accept header', async (t) => {
  const answer = await fetch(transfers, { method: 'HEAD', headers: { ...bearer, Accept: 'text/html' } });

  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/json');
});

test('a list is CSV if Accept begins with text/csv, but the error for an invalid request is JSON', async (t) => {
  const ask = (query: string) => fetch(`${transfers}${query}`, { headers: { ...bearer, Accept: 'text/csv' } });
  const answer = await ask('');
  const filtered = await ask('?status=failed&limit=1');
  const refused = await ask('?limit=0');

  t.is(answer.headers.get('content-type'), 'text/csv');
  const file = await answer.text();
  t.regex(file, /^id,reference,.*,metadata\n[\da-f-]{36},payout-77,completed,250000,2500\.00,/);
  t.is(await filtered.text(), file);
  t.is(refused.status, 400);
  t.is((await errorIn(refused)).code, 'invalid_parameter');
});

test('pages of every origin may call the mock with an API key or with cookies, and may read every response header', async (t) => {
  const origin = { Origin: 'http://app.example' };
  const preflight = await fetch(transfers, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
  });
  const answer = await fetch(transfers, { headers: { ...origin, ...bearer } });
  const refused = await fetch(transfers, { headers: origin });

  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-headers'), 'authorization');
  t.is(preflight.headers.get('access-control-max-age'), '600');
  t.is(answer.headers.get('access-control-max-age'), null);
  for (const { headers } of [preflight, answer, refused]) {
    t.is(headers.get('access-control-allow-origin'), 'http://app.example');
    t.is(headers.get('access-control-allow-credentials'), 'true');
    t.is(headers.get('vary'), 'Origin, Access-Control-Request-Headers');
    t.is(
      headers.get('access-control-expose-headers'),
      'Content-Disposition, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
    );
  }
});

test('the mock sends a CORS wildcard to a caller without an Origin header', async (t) => {
  const { headers } = await fetch(transfers, { headers: bearer });

  t.is(headers.get('access-control-allow-origin'), '*');
  t.is(headers.get('access-control-allow-credentials'), null);
  t.is(headers.get('vary'), 'Origin, Access-Control-Request-Headers');
});

test('signing in sets a session cookie, which the mock accepts only together with a mode', async (t) => {
  const session = `${mock.url}/api/v1/dashboard/session`;
  const signedIn = await fetch(session, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'demo@example.com', password: 'gm2wk-9p4hd-t7x3n' }),
  });
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');

  const inTest = await fetch(session, { headers: { Cookie: cookie, 'X-Service-Mode': 'test' } });
  const inNone = await fetch(session, { headers: { Cookie: cookie } });

  t.regex(cookie, /^tillhook_session=.+/);
  t.deepEqual([signedIn.status, inTest.status, inNone.status], [200, 200, 403]);
});

test('the mock calls onAnswer with one line for each request', async (t) => {
  const lines: string[] = [];
  const talking = await startMock({ onAnswer: (line) => lines.push(line) });
  t.teardown(() => talking.stop());

  await fetch(`${talking.url}/api/v1/transfers`);

  t.deepEqual(lines, ['401 GET /api/v1/transfers (This operation needs an API key)']);
});

test('when onAnswer throws, the mock answers and prints a warning', async (t) => {
  const failing = [
    () => {
      throw new Error('onAnswer throws on purpose');
    },
    async () => Promise.reject(new Error('onAnswer throws on purpose')),
  ];
  for (const onAnswer of failing) {
    const talking = await startMock({ onAnswer });
    t.teardown(() => talking.stop());
    const warned = once(process, 'warning');

    t.is((await fetch(`${talking.url}/api/v1/transfers`)).status, 401);
    t.is((await fetch(`${talking.url}/api/v1/transfers`)).status, 401);
    t.regex((await warned)[0].message, /^onAnswer failed: Error: onAnswer throws on purpose/);
  }
});

test('the mock does not start on a port that is in use', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  await t.throwsAsync(startMock({ port }), { message: `127.0.0.1:${port} is in use: another program listens there.` });
});

const client = new Tillhook('sk_test_mock', { baseUrl: mock.url });

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

test('the checkout page shows the amount, e-mail address, description and line items, and escapes all of them', async (t) => {
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

test('amounts on the checkout page have the decimals of their currency, in the format of the checkout’s locale', async (t) => {
  const yen = await create({ amount: 500, currency: 'JPY' });
  const dinar = await create({ amount: 1500, currency: 'KWD' });
  const german = await create({ amount: 123_456, currency: 'EUR', locale: 'de-DE' });

  t.regex(await textOf(yen.checkoutUrl), /Pay ¥500</);
  t.regex(await textOf(dinar.checkoutUrl), /Pay KWD.1\.500</);
  t.regex(await textOf(german.checkoutUrl), /Pay 1\.234,56.€</);
});

test('after payment, the page redirects to callbackUrl, and adds reference and status to its query', async (t) => {
  const { checkoutUrl, reference } = await create(shop);

  const { status, location } = await submit(checkoutUrl, { act: 'pay' });

  t.is(status, 303);
  t.is(location, `http://shop.example/thanks?cart=7&x=%20&reference=${reference}&status=completed`);
  t.is(await statusOf(reference), 'completed');
});

test('paying a second time on the checkout page changes nothing, and shows the receipt', async (t) => {
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

test('submitting the same declined form twice counts as one decline, and the third decline fails the payment', async (t) => {
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

test('a customer who leaves is redirected to cancelUrl, and the payment stays pending, or fails if a card was declined', async (t) => {
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

test('an expired checkout has a page with a link to the shop; without return URLs, paying and leaving show a page', async (t) => {
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

test('the checkoutUrl of a pending example payment opens a page too, and paying on that page changes the payment in the lists', async (t) => {
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

test('the mock shows an error page for an unknown payment, form or button, and changes nothing', async (t) => {
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

test('links in answers begin with the URL that the caller used, and docUrl opens a page that explains the error code', async (t) => {
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

test('the pages of the mock have the colours of the service', (t) => {
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

const json = ['content', 'application/json', 'examples'] as const;
const pathOfTransfers = ['paths', '/api/v1/transfers', 'post'] as const;
const testEvent = ['webhooks', 'test.event', 'post', 'requestBody'] as const;

const broken: [place: string, change: Change, message: RegExp][] = [
  [
    'of a response',
    [[...pathOfTransfers, 'responses', '201', ...json, 'withFee', 'value', 'amount'], '250000'],
    /createTransfer 201, example withFee: \/amount must be integer/,
  ],
  [
    'of a request',
    [[...pathOfTransfers, 'requestBody', ...json, 'basic', 'value', 'colour'], 'red'],
    /createTransfer request, example basic: it must NOT have additional properties/,
  ],
  [
    'of a parameter',
    [['x-mock-examples', 'reference', 'notFound'], 'x'],
    /reference, example notFound: it must match pattern/,
  ],
  [
    'of a webhook',
    [[...testEvent, ...json, 'basic', 'value', 'timestamp'], 'now'],
    /test\.event, example basic: \/timestamp must match format "date-time"/,
  ],
];

for (const [place, change, message] of broken) {
  test(`the mock does not start when an example ${place} does not fit its schema, and the error names the example`, async (t) => {
    await t.throwsAsync(createFront(changedContract(change)), { message });
  });
}
