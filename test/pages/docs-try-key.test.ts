/** What happens to the key that a reader gives to the form on the page of an operation. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openForm, send } from '../support/pages/docs-form.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const mock = 'http://localhost:4010';

test.serial('a key with a character that no key has is not sent', async (t) => {
  const page = await openNewForm(t, 'getAccount');

  await page.getByLabel('API key').fill('sk_test_…');
  await page.getByRole('button', { name: 'Send', exact: true }).click();

  const said = page.getByText('The key has a character that no key has. Copy the whole key again, and nothing else.');
  await t.notThrowsAsync(said.waitFor());
});

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

test.serial('a server that a reader chooses while the script is on its way is the one that gets the key', async (t) => {
  const page = await openPage(t, { mayCall: mock });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
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

  const calls = asked.filter((url) => url.includes('/api/v1/'));
  t.deepEqual(new Set(calls), new Set([`${mock}/api/v1/me`]));
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

async function openNewForm(t: ExecutionContext, operation: string): Promise<Page> {
  const page = await openPage(t);
  await openForm(page, server(), operation);
  return page;
}

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
