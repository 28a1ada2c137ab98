/** The form that sends a request from the page of an operation, and the page that verifies a signature. */

import { readContract } from '@tillhook/openapi';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openForm, send } from '../support/pages/docs-form.ts';
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

test.serial('a key that is refused is answered with its code, which leads to its explanation', async (t) => {
  const page = await openNewForm(t, 'getAccount');

  await send(page, 'sk_test_wrong');

  t.regex(await page.locator('.answer').getByRole('status').innerText(), /^401 Unauthorized in /);
  await page.getByRole('link', { name: 'What invalid_api_key means' }).click();
  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#invalid_api_key`));
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

const mock = 'http://localhost:4010';

test.serial('a key stays in the tab and is sent to its own server only, without cookies and redirects', async (t) => {
  const { testKey } = await server().createMerchant();
  const page = await openPage(t, { mayCall: mock });
  await page.addInitScript(recordFetch);
  const received: Record<string, string>[] = [];
  await page.route(`${mock}/**`, (route) => {
    if (route.request().method() === 'GET') received.push(route.request().headers());
    return route.fulfill({
      json: {},
      headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
    });
  });
  await openForm(page, server(), 'getAccount');

  await send(page, testKey);
  await page.getByLabel('Server').selectOption(mock);
  const keyForMock = await page.getByLabel('API key').inputValue();
  await send(page, '', '200 OK');
  await openForm(page, server(), 'listWallets');

  t.is(keyForMock, '');
  t.deepEqual(
    received.map(({ authorization }) => authorization),
    [undefined],
  );
  t.is(await page.getByLabel('Server').inputValue(), mock);
  await page.getByLabel('Server').selectOption('');
  t.is(await page.getByLabel('API key').inputValue(), testKey);
  t.false(page.url().includes(testKey));
  t.is(await page.evaluate('JSON.stringify(localStorage)'), '{}');
  t.deepEqual(await page.evaluate('JSON.parse(sessionStorage.fetched)'), [
    { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' },
    { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' },
  ]);
});

test.serial('before a live key changes something the page warns, and it reads without a warning', async (t) => {
  const page = await openNewForm(t, 'createTransfer');
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) calls.push(request.method());
  });

  await page.getByLabel('API key').fill('sk_live_wrong');
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await page.getByRole('alert').waitFor();
  const callsBefore = [...calls];
  await page.getByRole('button', { name: 'Send it in live mode' }).click();
  await page.getByText('401 Unauthorized').waitFor();
  const callsAfter = [...calls];
  await openForm(page, server(), 'listTransfers');
  await send(page, 'sk_live_wrong');

  t.deepEqual([callsBefore, callsAfter, calls], [[], ['POST'], ['POST', 'GET']]);
});

/** Keeps what the page says about credentials and redirects with each request to the API. */
const recordFetch = `
  const original = window.fetch;
  window.fetch = (url, options = {}) => {
    const { credentials, redirect, referrerPolicy } = options;
    const before = JSON.parse(sessionStorage.fetched ?? '[]');
    if (String(url).includes('/api/v1/')) sessionStorage.fetched = JSON.stringify([...before, { credentials, redirect, referrerPolicy }]);
    return original(url, options);
  };
`;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const checkoutSuccess = readContract().model.webhooks.find(({ name }) => name === 'checkout.success');

const body = JSON.stringify(checkoutSuccess?.body.examples.get('basic')?.value);

test.serial('the first sample verifies, and with a changed byte it does not', async (t) => {
  const { page, verdict } = await openVerifier(t);

  await page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  await page.getByRole('button', { name: 'Change one byte' }).click();
  await verdict.getByRole('heading', { name: 'wrong_signature' }).waitFor();

  t.regex(await verdict.innerText(), /byte for byte/);
});

test.serial('a pasted delivery verifies, and nothing of it is sent to a server', async (t) => {
  const { page, verdict } = await openVerifier(t);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  await paste(page, { headers: await sign(body, secret), secret });

  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  t.deepEqual(asked, []);
});

test.serial('without JavaScript the page says that it needs it, and which command to run instead', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/verifier`);

  t.true(await page.getByText('npm run receiver').isVisible());
  t.false(await page.getByRole('button', { name: 'Verify' }).isVisible());
});

async function openVerifier(t: ExecutionContext) {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/verifier`);
  await page.getByRole('button', { name: 'Verify' }).waitFor();
  return { page, verdict: page.locator('#verdict') };
}

interface Pasted {
  headers: Record<string, string>;
  secret: string;
}

async function paste(page: Page, pasted: Pasted): Promise<void> {
  const lines = Object.entries(pasted.headers).map(([name, value]) => `${name}: ${value}`);
  await page.getByLabel('Raw body').fill(body);
  await page.getByLabel('Headers').fill(lines.join('\n'));
  await page.getByLabel('Signing secret').fill(pasted.secret);
  await page.getByRole('button', { name: 'Verify' }).click();
}
