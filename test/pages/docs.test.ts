import { readPublished } from '@tillhook/docs/figures/bench-figures.ts';
import { type ModelOperation, namedSchema, readContract } from '@tillhook/openapi';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openForm, send } from '../support/pages/docs-form.ts';
import { checkSearch, searchTitle } from '../support/pages/docs-search.ts';
import { body, openVerifier, paste, secret } from '../support/pages/verifier.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const { model } = readContract();

const all = model.operations;

const errorCodes = Object.keys(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});

const eventNames = model.webhooks.map(({ name }) => name);

test.serial('a reader without JavaScript finds a separate page for every operation', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/reference`);
  const rows = (await page.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const links = await page.getByRole('row').getByRole('link').allInnerTexts();
  for (const { id, summary, method, path } of all) {
    t.true(rows.includes(`${summary} ${method.toUpperCase()} ${path}`), id);
    t.true(links.includes(summary), id);
  }
  await page.getByRole('main').getByRole('link', { name: 'Create a transfer' }).click();

  t.is(new URL(page.url()).pathname, '/docs/reference/createTransfer');
  const words = await page.getByRole('main').innerText();
  const { summary, path, answers } = model.operationById.get('createTransfer') as ModelOperation;
  const shown = [summary, path, 'curl', 'tillhook.', ...[...answers.keys()].map(String)];
  for (const word of shown) t.true(words.includes(word), word);
});

for (const [reader, javaScriptEnabled] of [
  ['a reader', true],
  ['a reader without JavaScript', false],
] as const) {
  test.serial(`${reader} finds an anchor for every error code and every event`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });

    for (const [path, names] of [
      ['errors', errorCodes],
      ['events', eventNames],
    ] as const) {
      const response = await page.goto(`${server().url}/docs/${path}`);

      t.is(response?.status(), 200);
      const entries = new Map(await page.evaluate<[id: string, text: string][]>(shownEntries));
      for (const name of names) t.true(entries.get(name)?.includes(name), name);
    }
  });

  test.serial(`${reader} can search`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(`${server().url}/docs`);

    await page.keyboard.press('/');
    const field = page.getByLabel('Search the documentation');
    if (!javaScriptEnabled) await field.focus();
    await page.keyboard.type('insufficient funds');
    // Enter opens the first result, which is another error code as long as only `insufficient` was searched for.
    const first = page.getByRole('option').first().filter({ hasText: 'insufficient_funds' });
    if (javaScriptEnabled) await first.waitFor();
    await page.keyboard.press('Enter');
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'insufficient_funds' }).click();

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#insufficient_funds`));
  });
}

const shownEntries = `[...document.querySelectorAll('[id]')]
  .filter((one) => one.checkVisibility())
  .map(({ id, textContent }) => [id, textContent])`;

for (const old of ['/docs', '/docs/reference']) {
  test.serial(`an old URL of an operation, in ${old}, leads to the page of the operation`, async (t) => {
    const page = await openPage(t);

    await page.goto(`${server().url}${old}#createCheckout`);

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/reference/createCheckout`));
  });
}

test.serial('the table of contents opens on a narrow screen, with and without JavaScript', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  await page.goto(`${server().url}/docs`);

  t.false(await page.getByRole('link', { name: 'Idempotency' }).isVisible());
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Idempotency' }).click();

  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Idempotency');
});

test.serial('the docUrl of an error leads to the explanation of its error code', async (t) => {
  const response = await server().request('/api/v1/payments');
  const { error } = await response.json();
  const page = await openPage(t);

  await page.goto(error.docUrl);

  t.is(error.docUrl, `${server().url}/docs/errors#missing_api_key`);
  await t.notThrowsAsync(page.locator(':target').filter({ hasText: 'missing_api_key' }).waitFor());
});

test.serial('the arrow keys, Home and End choose a tab, and only the program of the chosen tab is shown', async (t) => {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/reference/createTransfer`);

  await page.getByRole('tab', { name: 'curl' }).focus();
  const seen: string[][] = [await shownOn(page)];
  for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
    await page.keyboard.press(key);
    seen.push(await shownOn(page));
  }

  t.deepEqual(seen, [
    ['curl', 'curl'],
    ['TypeScript', 'TypeScript'],
    ['Ruby', 'Ruby'],
    ['curl', 'curl'],
    ['Ruby', 'Ruby'],
    ['curl', 'curl'],
  ]);
  // The Tab key moves the focus out of the list of tabs.
  await page.keyboard.press('Tab');
  t.is(await page.locator(':focus').getAttribute('role'), null);
});

test.serial('without JavaScript all programs are shown below each other, with their titles', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/verifying-signatures`);

  for (const name of ['Express', 'Fastify', 'Next', 'Hono', 'Workers']) await checkProgram(t, page, name);
  t.is(await page.getByRole('tab').count(), 0);
});

async function checkProgram(t: ExecutionContext, page: Page, name: string): Promise<void> {
  const program = page.locator(`#${name.toLowerCase()}`);
  t.true(await program.isVisible(), name);
  t.true(await program.getByText(name, { exact: true }).first().isVisible(), name);
}

async function shownOn(page: Page): Promise<string[]> {
  const tab = page.getByRole('tab', { selected: true }).and(page.locator(':focus'));
  const panels = await page.locator('.tabs > [role=tabpanel]:visible').all();
  const titles = await Promise.all(panels.map((panel) => panel.getAttribute('data-title')));
  return [...(await tab.allTextContents()), ...titles.map(String)];
}

test.serial(
  'the bar and the logo are the same in the documentation, in the dashboard and on the 404 page',
  async (t) => {
    const page = await openPage(t, { viewport: { width: 1280, height: 800 } });
    const bars: unknown[] = [];

    for (const path of ['/docs', '/dashboard', '/nowhere']) {
      await page.goto(`${server().url}${path}`);
      const mark = page.locator('.bar .brand img');
      await mark.waitFor();
      bars.push([await page.locator('.bar').boundingBox(), await mark.boundingBox()]);
    }

    const [{ width } = { width: 0 }] = [page.viewportSize() ?? undefined];
    const bar = { x: 0, y: 0, width, height: 56 };
    const mark = { x: 16, y: 15.5, width: 24, height: 24 };
    t.deepEqual(bars, [
      [bar, mark],
      [bar, mark],
      [bar, mark],
    ]);
  },
);

test.serial('the documentation and the dashboard link to each other, on wide and narrow screens', async (t) => {
  for (const width of [1280, 360]) {
    const page = await openPage(t, { viewport: { width, height: 800 } });

    await page.goto(`${server().url}/docs`);
    if (width === 360) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('link', { name: 'Docs', exact: true }).click();

    await t.notThrowsAsync(page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor());
  }
});

test.serial('the page of the benchmarks shows every figure, what was measured, and on which machine', async (t) => {
  const { figures, machine } = readPublished();
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs`);
  await page.getByRole('link', { name: 'Benchmarks and chaos', exact: true }).click();

  t.true(figures.length > 0);
  const rows = await page.getByRole('rowheader').allInnerTexts();
  for (const { name } of figures) t.true(rows.includes(name), name);
  for (const [about, [first, ...others]] of Map.groupBy(figures, (figure) => figure.about)) {
    const heading = page.getByRole('heading', { name: first?.name ?? '', exact: true });
    t.is(await heading.locator('xpath=following-sibling::p[1]').textContent(), about, first?.name);
    for (const { name } of others) {
      const same = await heading.locator('xpath=following-sibling::p[2]').textContent();
      t.true(same?.includes(name), name);
    }
  }
  t.true(await page.getByRole('cell', { name: `${machine.cores} × ${machine.cpu}, ` }).isVisible());
});

for (const kind of ['of 10,000 letters', 'with markup'] as const) {
  test.serial(searchTitle(kind), async (t) => {
    await checkSearch(t, await openPage(t, { javaScriptEnabled: false }), { server: server(), kind });
  });
}

test.serial('without JavaScript, a search that finds nothing suggests words and pages', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server().url}/docs/search?q=refnud`);

  t.true(await page.getByText('Nothing was found for “refnud”.').isVisible());
  t.true(await page.getByRole('main').getByRole('link', { name: 'Quick start' }).isVisible());
  await page.getByRole('main').getByRole('link', { name: 'refund', exact: true }).click();

  t.is(await page.locator('mark').first().textContent(), 'Refunds');
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  t.deepEqual(headings.slice(-2), ['Guides', 'API reference']);
});

test.serial('the arrow keys select a search result, and Escape closes the list of results', async (t) => {
  const { field, page } = await typed(t, 'transfer');

  await page.getByRole('option').nth(2).waitFor();
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  t.is(await page.getByRole('option', { selected: true }).getAttribute('id'), 'found-2');
  t.is(await field.getAttribute('aria-activedescendant'), 'found-2');
  await field.press('ArrowUp');
  await field.press('ArrowUp');
  await field.press('ArrowUp');
  t.is(await page.getByRole('option', { selected: true }).textContent(), 'All results');
  await field.press('Escape');

  t.false(await page.getByRole('listbox').isVisible());
  t.is(await field.inputValue(), 'transfer');
  t.is(await field.getAttribute('aria-expanded'), 'false');
});

test.serial(
  'Enter opens the selected search result, and the last entry of the list leads to all results',
  async (t) => {
    const { field, page } = await typed(t, 'idempotency');

    await page.getByRole('option', { name: 'All results' }).waitFor();
    await field.press('ArrowUp');
    await field.press('Enter');

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/search?q=idempotency`));
  },
);

async function typed(t: ExecutionContext, text: string) {
  const page: Page = await openPage(t);
  await page.goto(`${server().url}/docs`);
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await field.fill(text);
  return { page, field };
}

test.serial("a reader sends a POST with the example's body, and opens the URL in the response", async (t) => {
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

test.serial('when an API key is refused, the page shows the error code with a link to its explanation', async (t) => {
  const page = await openNewForm(t, 'getAccount');

  await send(page, 'sk_test_wrong');

  t.regex(await page.locator('.answer').getByRole('status').innerText(), /^401 Unauthorized in /);
  await page.getByRole('link', { name: 'What invalid_api_key means' }).click();
  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#invalid_api_key`));
});

test.serial(
  'without JavaScript there is no form for sending requests; with JavaScript there is none for an operation that accepts only a session',
  async (t) => {
    const plain = await openPage(t, { javaScriptEnabled: false });
    const page = await openPage(t);

    await plain.goto(`${server().url}/docs/reference/createCheckout`);
    await page.goto(`${server().url}/docs/reference/listApiKeys`);

    t.false(await plain.locator('#try').isVisible());
    t.true(await plain.getByText('curl').first().isVisible());
    t.is(await page.locator('#try').count(), 0);
  },
);

test.serial('the page of an operation, with everything that it loads, has at most 30 KiB', async (t) => {
  const page = await openPage(t, { isNew: true });
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');

  await page.goto(`${server().url}/docs/reference/createCheckout`, { waitUntil: 'networkidle' });

  t.log(`${(bytes / 1024).toFixed(1)} KiB`);
  t.true(bytes > 5 * 1024 && bytes <= 30 * 1024, `${bytes} bytes`);
});

async function openNewForm(t: ExecutionContext, operation: string): Promise<Page> {
  const page = await openPage(t);
  await openForm(page, server(), operation);
  return page;
}

const mock = 'http://localhost:4010';

test.serial(
  "an API key stays in the tab and is sent only to the key's own server, without cookies and without following redirects",
  async (t) => {
    const { testKey } = await server().createMerchant();
    const page = await openPage(t, { mayCall: mock, isNew: true });
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
  },
);

test.serial(
  'the page warns the reader before a request with a live key that changes something, and not before a request that only reads',
  async (t) => {
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
  },
);

const recordFetch = `
  const original = window.fetch;
  window.fetch = (url, options = {}) => {
    const { credentials, redirect, referrerPolicy } = options;
    const before = JSON.parse(sessionStorage.fetched ?? '[]');
    if (String(url).includes('/api/v1/')) sessionStorage.fetched = JSON.stringify([...before, { credentials, redirect, referrerPolicy }]);
    return original(url, options);
  };
`;

test.serial('the first sample delivery verifies, and no longer verifies when one byte is changed', async (t) => {
  const page = await openPage(t);
  const verdict = await openVerifier(page, server());

  await page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  await page.getByRole('button', { name: 'Change one byte' }).click();
  await verdict.getByRole('heading', { name: 'wrong_signature' }).waitFor();

  t.regex(await verdict.innerText(), /byte for byte/);
});

test.serial('a pasted delivery verifies, and no part of it is sent to a server', async (t) => {
  const page = await openPage(t);
  const verdict = await openVerifier(page, server());
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));

  await paste(page, { headers: await sign(body, secret), secret });

  await verdict.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  t.deepEqual(urls, []);
});

test.serial(
  'without JavaScript the verifier says that it needs JavaScript, and names a command that does the same',
  async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false });

    await page.goto(`${server().url}/docs/verifier`);

    t.true(await page.getByText('npm run receiver').isVisible());
    t.false(await page.getByRole('button', { name: 'Verify' }).isVisible());
  },
);
