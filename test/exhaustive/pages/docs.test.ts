/** Tests the documentation on every screen width, and its tabs, search, forms and verifier in every situation. */
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { nextCall, openForm, send } from '../../support/pages/docs-form.ts';
import { checkSearch, oddSearches, searchTitle } from '../../support/pages/docs-search.ts';
import { body, openVerifier, paste, secret } from '../../support/pages/verifier.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const paths = [
  '',
  '/quick-start',
  '/errors',
  '/verifier',
  '/changelog',
  '/benchmarks-and-chaos',
  '/style',
  '/search?q=secret',
  '/nowhere',
  '/reference/createCheckout',
  '/reference/getAccount',
];

for (const width of [1920, 1280, 1000]) {
  test.serial(
    `on a screen of ${width} pixels, the text of all pages begins at the same position, below the search`,
    async (t) => {
      const page = await openPage(t, { viewport: { width, height: 800 } });
      const lefts: Record<string, number[]> = {};

      for (const path of paths) {
        await page.goto(`${server().url}/docs${path}`);
        lefts[path] = [await leftOf(page, 'h1'), await leftOf(page, '.bar .search')];
      }

      const [first] = Object.values(lefts);
      t.deepEqual(lefts, Object.fromEntries(paths.map((path) => [path, [first?.[0], first?.[0]]])));
    },
  );
}

for (const width of [360, 320]) {
  test.serial(`on a screen of ${width} pixels, no page is wider than the screen`, async (t) => {
    const page = await openPage(t, { viewport: { width, height: 800 } });
    const wide: string[] = [];

    for (const path of paths) {
      await page.goto(`${server().url}/docs${path}`);
      if (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')) wide.push(path);
    }

    t.deepEqual(wide, []);
  });
}

async function leftOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;
}

test.serial('a panel is labelled by its tab, and the tab refers to its panel', async (t) => {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/verifying-signatures`);

  await page.getByRole('tab', { name: 'Hono' }).click();

  const panel = page.getByRole('tabpanel', { name: 'Hono' });
  t.regex((await panel.textContent()) ?? '', /from 'hono'/);
  t.is(await page.getByRole('tab', { name: 'Hono' }).getAttribute('aria-controls'), await panel.getAttribute('id'));
});

test.serial('a chosen language and a chosen framework are kept on all pages, and after a reload', async (t) => {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/reference/createTransfer`);
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.goto(`${server().url}/docs/verifying-signatures`);
  await page.getByRole('tab', { name: 'Fastify' }).click();
  const chosen: string[][] = [];

  for (const path of ['verifying-signatures', 'reference/listPayments', 'quick-start']) {
    await page.goto(`${server().url}/docs/${path}`);
    chosen.push(await page.getByRole('tab', { selected: true }).allTextContents());
  }

  t.deepEqual(chosen, [['Fastify', 'Python', 'Python'], ['Python'], ['Python', 'Python', 'Python']]);
});

test.serial('a URL with the anchor of a program shows that program', async (t) => {
  const page = await openPage(t);

  await page.goto(`${server().url}/docs/verifying-signatures#workers`);

  await t.notThrowsAsync(page.getByRole('tabpanel', { name: 'Workers' }).waitFor());
  t.false(await page.locator('#express').isVisible());
});

test.serial('tabs work in a browser that stores nothing', async (t) => {
  const page = await openPage(t, { isNew: true });
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', { get() { throw new Error('No.'); } })`);
  await page.goto(`${server().url}/docs/verifying-signatures`);

  await page.getByRole('tab', { name: 'Next', exact: true }).click();

  t.true(await page.locator('#next').isVisible());
});

test.serial('a long word does not make the page wider than a narrow screen', async (t) => {
  const page = await openPage(t, { viewport: { width: 360, height: 780 } });

  await page.goto(`${server().url}/docs/search?q=${'x'.repeat(100)}`);

  t.is(await page.evaluate('document.documentElement.scrollWidth'), 360);
});

test.serial('Enter on a misspelt word searches for the suggested word', async (t) => {
  const { field, page } = await typed(t, 'refnud');

  await page.getByRole('option', { name: 'refund', exact: true }).waitFor();
  t.is(await page.locator('.suggestions').getByRole('status').innerText(), 'Nothing was found.');
  await field.press('Enter');
  await page.getByRole('option', { name: 'Refunds' }).first().waitFor();

  t.is(await field.inputValue(), 'refund');
  await field.press('Enter');
  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/refunds`));
});

test.serial('a search response that is not JSON closes the list and breaks nothing', async (t) => {
  const { field, page } = await typed(t, 'secret');
  await page.getByRole('option').first().waitFor();

  // A proxy may answer with HTML. The test does not abort the request, because the browser would log this as an error.
  await page.route('**/search.json*', (route) => route.fulfill({ body: '<html>' }));
  await field.fill('secrets');

  await t.notThrowsAsync(page.locator('.suggestions').waitFor({ state: 'hidden' }));
});

async function typed(t: ExecutionContext, text: string) {
  const page: Page = await openPage(t);
  await page.goto(`${server().url}/docs`);
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await field.fill(text);
  return { page, field };
}

test.serial('a reader fills in the path, a list in the query and a header', async (t) => {
  const { testKey, client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1999 });
  const page = await openNewForm(t, 'listPayments');

  await page.getByText(/^\d+ optional parameters$/).click();
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

test.serial('a reader can choose CSV where the contract has it, and JSON is preselected', async (t) => {
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

test.serial(
  'a body that is not JSON is sent unchanged, and the form describes a response without a body',
  async (t) => {
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
  },
);

test.serial('when the server is unreachable, the form says so, and can send the next request', async (t) => {
  const { testKey } = await server().createMerchant();
  const page = await openNewForm(t, 'getAccount');
  await page.route('**/api/v1/me', (route) => route.abort(), { times: 1 });

  await send(page, testKey);
  const said = await page.locator('.answer').getByRole('status').innerText();
  await send(page, testKey, '200 OK');

  t.is(said, 'No answer. Is the server running, and are you connected?');
});

test.serial('a long request can be stopped', async (t) => {
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

async function openNewForm(t: ExecutionContext, operation: string): Promise<Page> {
  const page = await openPage(t);
  await openForm(page, server(), operation);
  return page;
}

const mock = 'http://localhost:4010';

test.serial('an API key with an invalid character is not sent', async (t) => {
  const page = await openNewForm(t, 'getAccount');

  await page.getByLabel('API key').fill('sk_test_…');
  await page.getByRole('button', { name: 'Send', exact: true }).click();

  const said = page.getByText('The key has a character that no key has. Copy the whole key again, and nothing else.');
  await t.notThrowsAsync(said.waitFor());
});

test.serial('if a reader chooses a server before the script has loaded, that server gets the key', async (t) => {
  const page = await openPage(t, { mayCall: mock });
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.route(`${mock}/**`, (route) =>
    route.fulfill({ json: {}, headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' } }),
  );
  await page.route('**/try.js', async (route) => {
    await page.waitForTimeout(300);
    await route.continue();
  });
  await page.goto(`${server().url}/docs/reference/getAccount`);
  await page.locator('#try > summary').click();

  await page.getByLabel('Server').selectOption(mock);
  await send(page, 'sk_test_mock', '200');

  const calls = urls.filter((url) => url.includes('/api/v1/'));
  t.deepEqual(new Set(calls), new Set([`${mock}/api/v1/me`]));
});

test.serial('in the verifier, a header without a value does not hide the following headers', async (t) => {
  const page = await openPage(t);
  const verdict = await openVerifier(page, server());
  const { 'webhook-id': id, ...others } = await sign(body, secret);

  await paste(page, { headers: { 'x-empty': '', 'webhook-id': id, ...others }, secret });

  const verified = verdict.getByRole('heading', { name: 'Verified: checkout.success' });
  await t.notThrowsAsync(verified.waitFor());
});

test.serial('the verifier tries both secrets of a rotation', async (t) => {
  const page = await openPage(t);
  const verdict = await openVerifier(page, server());

  await paste(page, { headers: await sign(body, secret), secret: `whsec_AAAA ${secret}` });

  await t.notThrowsAsync(verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor());
});

test.serial(
  'X-Service-Signature alone is refused, unless the reader states that there is no other header',
  async (t) => {
    const page = await openPage(t);
    const verdict = await openVerifier(page, server());
    const { 'X-Service-Signature': fixed } = await sign(body, secret);

    await paste(page, { headers: { 'x-service-signature': fixed }, secret });
    await verdict.getByRole('heading', { name: 'missing_headers' }).waitFor();
    t.regex(await verdict.innerText(), /with webhook-id, webhook-timestamp and webhook-signature/);
    await page.getByLabel('accept X-Service-Signature alone').check();
    await page.getByRole('button', { name: 'Verify' }).click();

    await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
    t.regex(await verdict.innerText(), /covers no time/);
  },
);

test.serial('the verifier explains failures: missing headers, an old timestamp, a masked secret', async (t) => {
  const page = await openPage(t);
  const verdict = await openVerifier(page, server());
  const old = await sign(body, secret, { timestamp: 1_700_000_000 });

  await paste(page, { headers: {}, secret });
  await verdict.getByRole('heading', { name: 'missing_headers' }).waitFor();
  await paste(page, { headers: old, secret });
  await verdict.getByRole('heading', { name: 'timestamp_out_of_tolerance' }).waitFor();
  await page.getByLabel('Signed at most').fill('315360000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  await paste(page, { headers: old, secret: 'whsec_••••••••LaSw' });
  await verdict.getByRole('heading', { name: 'This cannot be verified' }).waitFor();

  t.regex(await verdict.innerText(), /masked/);
  t.deepEqual(await barriersOn(page), []);
});

for (const kind of Object.keys(oddSearches) as (keyof typeof oddSearches)[]) {
  // `npm test` already tests these two kinds of searches.
  if (kind === 'of 10,000 letters' || kind === 'with markup') continue;
  test.serial(searchTitle(kind), async (t) => {
    await checkSearch(t, await openPage(t, { javaScriptEnabled: false }), { server: server(), kind });
  });
}
