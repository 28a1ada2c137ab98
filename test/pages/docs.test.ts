/** What readers find in the documentation, with JavaScript and without. */
import { type ModelOperation, namedSchema, readContract } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const { model } = readContract();

const all = model.operations;

const errorCodes = Object.keys(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});

const eventNames = model.webhooks.map(({ name }) => name);

test.serial('a reader without JavaScript finds every operation on a separate page', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/reference`);
  for (const { id, summary, method, path } of all) {
    const row = page.getByRole('row', { name: `${summary} ${method.toUpperCase()} ${path}`, exact: true });
    t.true(await row.getByRole('link', { name: summary }).isVisible(), id);
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
  test.serial(`${reader} finds every error code and every event at an anchor`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });

    for (const [path, names] of [
      ['errors', errorCodes],
      ['events', eventNames],
    ] as const) {
      const response = await page.goto(`${server().url}/docs/${path}`);

      t.is(response?.status(), 200);
      for (const name of names) {
        const entry = page.locator(`[id="${name}"]`).filter({ hasText: name, visible: true });
        await t.notThrowsAsync(entry.waitFor(), name);
      }
    }
  });

  test.serial(`${reader} can search`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(`${server().url}/docs`);

    await page.keyboard.press('/');
    const field = page.getByLabel('Search the documentation');
    if (!javaScriptEnabled) await field.focus();
    await page.keyboard.type('insufficient funds');
    if (javaScriptEnabled) await page.getByRole('option', { name: 'insufficient_funds' }).first().waitFor();
    await page.keyboard.press('Enter');
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'insufficient_funds' }).click();

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#insufficient_funds`));
  });
}

for (const old of ['/docs', '/docs/reference']) {
  test.serial(`an old address of an operation, in ${old}, leads to its page`, async (t) => {
    const page = await openPage(t);

    await page.goto(`${server().url}${old}#createCheckout`);

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/reference/createCheckout`));
  });
}

test.serial('the table of contents opens on a narrow screen, also without JavaScript', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  await page.goto(`${server().url}/docs`);

  t.false(await page.getByRole('link', { name: 'Idempotency' }).isVisible());
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Idempotency' }).click();

  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Idempotency');
});

test.serial('the old address of the benchmarks leads to the page, also as Markdown', async (t) => {
  for (const end of ['', '.md']) {
    const response = await fetch(`${server().url}/docs/benchmarks${end}`, { redirect: 'manual' });

    t.is(response.status, 301);
    t.is(response.headers.get('location'), `/docs/benchmarks-and-chaos${end}`);
  }
});

test.serial('the docUrl of an error leads to its code', async (t) => {
  const response = await server().request('/api/v1/payments');
  const { error } = await response.json();
  const page = await openPage(t);

  await page.goto(error.docUrl);

  t.is(error.docUrl, `${server().url}/docs/errors#missing_api_key`);
  await t.notThrowsAsync(page.locator(':target').filter({ hasText: 'missing_api_key' }).waitFor());
});

interface ServedDocument {
  openapi: string;
  servers: { url: string }[];
  paths: object;
}

test.serial('the contract for programs is served as YAML, as JSON, and in OpenAPI 3.0', async (t) => {
  const [yaml, json, json30] = await Promise.all(
    ['/openapi.yaml', '/openapi.json', '/openapi-3.0.json'].map((path) => fetch(`${server().url}${path}`)),
  );

  t.deepEqual([yaml?.status, json?.status, json30?.status], [200, 200, 200]);
  t.regex(yaml?.headers.get('content-type') ?? '', /^application\/yaml/);
  t.regex(json?.headers.get('content-type') ?? '', /^application\/json/);
  t.is(json?.headers.get('access-control-allow-origin'), '*');
  const served = (await json?.json()) as ServedDocument;
  t.deepEqual(parse((await yaml?.text()) ?? ''), served);
  t.is(served.servers[0]?.url, server().url);
  const older = (await json30?.json()) as ServedDocument;
  t.regex(older.openapi, /^3\.0\./);
  t.deepEqual([older.servers, Object.keys(older.paths)], [served.servers, Object.keys(served.paths)]);
});

test.serial('the arrow keys, Home and End choose a tab, and only its program is shown', async (t) => {
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
    ['Python', 'Python'],
    ['curl', 'curl'],
    ['Python', 'Python'],
    ['curl', 'curl'],
  ]);
  // The next stop of the Tab key is not another tab.
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

/** The chosen tab with the focus, and the title of the program that is shown. */
async function shownOn(page: Page): Promise<string[]> {
  const tab = page.getByRole('tab', { selected: true }).and(page.locator(':focus'));
  const panels = await page.locator('.tabs > [role=tabpanel]:visible').all();
  const titles = await Promise.all(panels.map((panel) => panel.getAttribute('data-title')));
  return [...(await tab.allTextContents()), ...titles.map(String)];
}

test.serial(
  'the bar and the mark are the same in the documentation, in the dashboard and on the page for a wrong address',
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

test.serial('the documentation and the dashboard lead to each other, on wide and on narrow screens', async (t) => {
  for (const width of [1280, 360]) {
    const page = await openPage(t, { viewport: { width, height: 800 } });

    await page.goto(`${server().url}/docs`);
    if (width === 360) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('link', { name: 'Docs', exact: true }).click();

    await t.notThrowsAsync(page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor());
  }
});
