/** Programs in tabs: by keyboard, remembered, named by an address, and all of them without JavaScript. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

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
