/** See docs/decisions/look.md, "A reader chooses the theme of the documentation". */
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { addDemoMerchant } from '../support/pages/home-scenes.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext();

const openPage = browserForFile();

const followsLight = { isDark: false, picture: 'overview.svg' };
const followsDark = { isDark: true, picture: 'overview.svg' };
const chosenLight = { isDark: false, picture: 'overview.svg#light' };
const chosenDark = { isDark: true, picture: 'overview.svg#dark' };

test.serial(
  'a reader chooses dark in the documentation; the home page, its picture and the sign-in of the dashboard are dark too',
  async (t) => {
    await addDemoMerchant(server());
    const page = await openPage(t, { colorScheme: 'light' });
    await page.goto(`${server().url}/docs`);
    await eventually(() => looks(page), followsLight);

    await choose(page, 'Dark');
    await eventually(() => looks(page), chosenDark);
    await page.goto(`${server().url}/`);
    await eventually(() => looks(page), { isDark: true, picture: 'checkout-dark.png' });
    await page.goto(`${server().url}/dashboard`);
    await page.getByLabel('Email').waitFor();

    t.is(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark');
  },
);

test.serial(
  'a light theme on a dark device is light, and the choice of the device brings the dark theme back',
  async (t) => {
    const page = await openPage(t, { colorScheme: 'dark' });
    await page.goto(`${server().url}/docs`);
    await eventually(() => looks(page), followsDark);

    await choose(page, 'Light');
    await eventually(() => looks(page), chosenLight);
    await page.reload();
    await eventually(() => looks(page), chosenLight);
    await choose(page, 'As this device');

    await t.notThrowsAsync(eventually(() => looks(page), followsDark));
  },
);

test.serial(
  'the chosen theme is set before the page has a body, so no page is painted in the theme of the device',
  async (t) => {
    const page = await openPage(t, { colorScheme: 'light', isNew: true });
    await page.goto(`${server().url}/docs`);
    await choose(page, 'Dark');
    await page.addInitScript(watchBody);

    for (const path of ['/docs', '/docs/errors', '/docs/search?q=refund', '/', '/nowhere']) {
      await page.goto(server().url + path);
      t.is(await page.evaluate('window.themeOfBody'), 'dark', path);
    }
  },
);

const watchBody = `new MutationObserver((_found, observer) => {
  if (!document.body) return;
  window.themeOfBody = document.documentElement.dataset.theme;
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

test.serial('a theme that is chosen in one tab is shown in another tab at once', async (t) => {
  const page = await openPage(t, { colorScheme: 'light' });
  await page.goto(`${server().url}/docs`);
  const other = await page.context().newPage();
  await other.goto(`${server().url}/docs/errors`);

  await choose(page, 'Dark');

  await t.notThrowsAsync(other.locator('html[data-theme=dark]').waitFor({ state: 'attached' }));
});

test.serial('the theme is chosen by keyboard, and the open choice meets WCAG 2.2 AA', async (t) => {
  const page = await openPage(t, { colorScheme: 'light' });
  await page.goto(`${server().url}/docs/errors`);

  await page.getByRole('button', { name: 'Theme' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  t.is(await page.locator(':focus').getAttribute('value'), 'auto');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  t.is((await looks(page)).isDark, true);
  t.deepEqual(await barriersOn(page), []);
  await page.keyboard.press('Escape');

  t.false(await page.getByRole('group', { name: 'Theme' }).isVisible());
  t.is(await page.locator(':focus').getAttribute('aria-label'), 'Theme');
});

test.serial('without JavaScript there is no choice of a theme, and the page follows the device', async (t) => {
  const page = await openPage(t, { colorScheme: 'dark', javaScriptEnabled: false });

  await page.goto(`${server().url}/docs`);

  t.false(await page.getByRole('button', { name: 'Theme' }).isVisible());
  t.is((await looks(page)).isDark, true);
});

async function choose(page: Page, theme: string): Promise<void> {
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('radio', { name: theme }).check();
  await page.keyboard.press('Escape');
}

async function looks(page: Page): Promise<{ isDark: boolean; picture: string | undefined }> {
  const isDark = await page.evaluate<boolean>(`getComputedStyle(document.body).backgroundColor === 'rgb(15, 18, 22)'`);
  const picture = await page.evaluate<string | undefined>(
    `(document.querySelector('picture[data-themes] img')?.src ?? document.querySelector('picture img')?.currentSrc)?.split('/').at(-1)`,
  );
  return { isDark, picture };
}
