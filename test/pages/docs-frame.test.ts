/** All pages of the documentation have one frame, and the bar of the dashboard is the same. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

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

async function leftOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;
}
