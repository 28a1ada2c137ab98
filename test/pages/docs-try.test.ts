/** The form on the page of an operation that sends a request. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { nextCall, openForm, send } from '../support/pages/docs-form.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('a reader sends a POST with the body of the example, and follows the address in the answer', async (t) => {
  const { testKey, client } = await server().createMerchant();
  const page = await openNewForm(t, 'createCheckout');

  await send(page, testKey);

  const answer = page.locator('.answer');
  t.regex(await answer.getByRole('status').innerText(), /^201 Created in [\d,]+ ms$/);
  t.regex(await answer.locator('dl').innerText(), /X-Request-Id\s+req_\w+/);
  const { data } = JSON.parse((await answer.locator('code').textContent()) ?? '');
  t.like(await client.payments.get(data.reference), { customerEmail: 'ada@example.com', amount: 500_000 });
  t.is(await answer.getByRole('link').getAttribute('href'), data.checkoutUrl);
});

test.serial('a reader fills the path, a list in the query and a header', async (t) => {
  const { testKey, client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1999 });
  const page = await openNewForm(t, 'listPayments');

  await page.getByText('12 optional parameters').click();
  await page.getByLabel('status').fill('pending, completed');
  await page.getByLabel('limit').fill('5');
  const [listed] = await Promise.all([nextCall(page), send(page, testKey)]);
  const [first] = JSON.parse((await page.locator('.answer code').textContent()) ?? '').payments;
  await openForm(page, server(), 'cancelCheckout');
  await page.getByLabel('reference').fill(data.reference);
  await page.getByText('1 optional parameter').click();
  await page.getByLabel('Idempotency-Key').fill('try-1');
  const [cancelled] = await Promise.all([nextCall(page), send(page, testKey)]);

  t.is(new URL(listed.url()).search, '?limit=5&status=pending&status=completed');
  t.is(listed.headers().authorization, `Bearer ${testKey}`);
  t.is(first.reference, data.reference);
  t.is(new URL(cancelled.url()).pathname, `/api/v1/payments/${data.reference}/cancel`);
  t.is(cancelled.headers()['idempotency-key'], 'try-1');
  t.is((await client.payments.get(data.reference)).status, 'expired');
});

test.serial('a reader chooses CSV where the contract has it, and JSON is chosen at first', async (t) => {
  const { testKey, client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1999 });
  const page = await openNewForm(t, 'listPayments');
  const choice = page.getByLabel('Accept');

  const atFirst = await choice.inputValue();
  await choice.selectOption('text/csv');
  await send(page, testKey);

  t.is(atFirst, 'application/json');
  t.regex(await page.locator('.answer dl').innerText(), /Content-Type\s+text\/csv/);
  const [names = '', row = ''] = ((await page.locator('.answer code').textContent()) ?? '').split('\r\n');
  t.true(names.includes('reference') && row.includes(data.reference));
  t.is(await page.locator('.answer code span').count(), 0);
  await openForm(page, server(), 'getPayment');
  t.is(await page.getByLabel('Accept').count(), 0);
});

test.serial('a key that is refused is answered with its code, which leads to its explanation', async (t) => {
  const page = await openNewForm(t, 'getAccount');

  await send(page, 'sk_test_wrong');

  t.regex(await page.locator('.answer').getByRole('status').innerText(), /^401 Unauthorized in /);
  await page.getByRole('link', { name: 'What invalid_api_key means' }).click();
  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#invalid_api_key`));
});

test.serial('a body that is no JSON is sent as it is, and an answer without a body says so', async (t) => {
  const { testKey } = await server().createMerchant();
  const page = await openNewForm(t, 'createCheckout');

  await page.getByLabel('Body').fill('{"email":');
  await send(page, testKey);
  const refused = await page.locator('.answer').getByRole('status').innerText();
  await openForm(page, server(), 'listStorefrontProducts');
  await send(page, testKey);
  const etag = await page
    .locator('.answer dt', { hasText: 'ETag' })
    .locator('xpath=following-sibling::dd[1]')
    .innerText();
  await page.getByText(/optional parameter/).click();
  await page.getByLabel('If-None-Match').fill(etag);
  await send(page, testKey, '304');

  t.regex(refused, /^400 Bad Request in .*What invalid_json means$/);
  t.regex(await page.locator('.answer').getByRole('status').innerText(), /The answer has no body\.$/);
  t.false(await page.locator('.answer figure').isVisible());
});

test.serial('when the server is away the form says so, and sends the next request', async (t) => {
  const { testKey } = await server().createMerchant();
  const page = await openNewForm(t, 'getAccount');
  await page.route('**/api/v1/me', (route) => route.abort(), { times: 1 });

  await send(page, testKey);
  const said = await page.locator('.answer').getByRole('status').innerText();
  await send(page, testKey, '200 OK');

  t.is(said, 'No answer. Is the server running, and are you connected?');
});

test.serial('a request that takes long can be stopped', async (t) => {
  const page = await openNewForm(t, 'getAccount');
  await page.route('**/api/v1/me', () => undefined);

  await page.getByLabel('API key').fill('sk_test_a');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Stop' }).click();

  await t.notThrowsAsync(page.getByText('Stopped. The server may have carried the request out.').waitFor());
  t.true(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled());
});

test.serial('on a narrow screen a link below the title leads to the form', async (t) => {
  const page = await openPage(t, { viewport: { width: 360, height: 780 } });
  await page.goto(`${server().url}/docs/reference/createCheckout`);

  await page.getByRole('link', { name: 'Try it' }).click();

  t.true(await page.getByLabel('API key').isVisible());
  t.true(await page.evaluate('document.documentElement.scrollWidth <= 360'));
});

test.serial('the page may call this server and the mock, and no page of a guide may', async (t) => {
  const policies = await Promise.all(
    ['reference/createCheckout', 'reference', 'quick-start'].map(async (path) => {
      const { headers } = await fetch(`${server().url}/docs/${path}`);
      return /connect-src [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0];
    }),
  );

  t.deepEqual(policies, ["connect-src 'self' http://localhost:4010", "connect-src 'self'", "connect-src 'self'"]);
});

test.serial('there is no form without JavaScript, and none for an operation that takes only a session', async (t) => {
  const plain = await openPage(t, { javaScriptEnabled: false });
  const page = await openPage(t);

  await plain.goto(`${server().url}/docs/reference/createCheckout`);
  await page.goto(`${server().url}/docs/reference/listApiKeys`);

  t.false(await plain.locator('#try').isVisible());
  t.true(await plain.getByText('curl').first().isVisible());
  t.is(await page.locator('#try').count(), 0);
});

test.serial('the page of an operation, with all that it loads, has at most 25 KiB', async (t) => {
  const page = await openPage(t);
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');

  await page.goto(`${server().url}/docs/reference/createCheckout`, { waitUntil: 'networkidle' });

  t.log(`${(bytes / 1024).toFixed(1)} KiB`);
  t.true(bytes > 5 * 1024 && bytes <= 25 * 1024, `${bytes} bytes`);
});

async function openNewForm(t: ExecutionContext, operation: string): Promise<Page> {
  const page = await openPage(t);
  await openForm(page, server(), operation);
  return page;
}
