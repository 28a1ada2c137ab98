/** The documentation on every width of screen, its tabs, its search and its forms in every situation. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
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
    `on a screen of ${width} pixels, the text of all pages begins at the same place, below the search`,
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

test.serial('a panel is named by its tab, and the tab names its panel', async (t) => {
  const page = await openPage(t);
  await page.goto(`${server().url}/docs/verifying-signatures`);

  await page.getByRole('tab', { name: 'Hono' }).click();

  const panel = page.getByRole('tabpanel', { name: 'Hono' });
  t.regex((await panel.textContent()) ?? '', /from 'hono'/);
  t.is(await page.getByRole('tab', { name: 'Hono' }).getAttribute('aria-controls'), await panel.getAttribute('id'));
});

test.serial('a chosen language and a chosen framework hold on all pages, and after a reload', async (t) => {
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

test.serial('an address that names a program shows it', async (t) => {
  const page = await openPage(t);

  await page.goto(`${server().url}/docs/verifying-signatures#workers`);

  await t.notThrowsAsync(page.getByRole('tabpanel', { name: 'Workers' }).waitFor());
  t.false(await page.locator('#express').isVisible());
});

test.serial('a browser that keeps nothing still has tabs', async (t) => {
  const page = await openPage(t);
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

test.serial('Enter on a similar word searches for it', async (t) => {
  const { field, page } = await typed(t, 'refnud');

  await page.getByRole('option', { name: 'refund', exact: true }).waitFor();
  t.is(await page.locator('.suggestions').getByRole('status').innerText(), 'Nothing was found.');
  await field.press('Enter');
  await page.getByRole('option', { name: 'Refunds' }).first().waitFor();

  t.is(await field.inputValue(), 'refund');
  await field.press('Enter');
  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/refunds`));
});

test.serial('an answer that is no JSON closes the list and breaks nothing', async (t) => {
  const { field, page } = await typed(t, 'secret');
  await page.getByRole('option').first().waitFor();

  // An answer that is no JSON, as a proxy gives it. A failed request would be printed by the browser.
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
