/** Tests the contents of a page, which follow the reader: beside the text on wide screens, folded on narrow ones. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 800 };

test.serial('on a wide screen the contents mark the section that the reader sees, and keep it in view', async (t) => {
  const page = await openPage(t, { viewport: wide });
  await page.goto(`${server().url}/docs/errors`);
  t.deepEqual(await marked(page), []);

  for (const code of ['missing_api_key', 'payload_too_large', 'invalid_json']) {
    await page.evaluate(`document.getElementById('${code}').scrollIntoView()`);
    await eventually(() => marked(page), [code]);
    t.true(await isInView(page, '.on-this-page [aria-current]'), code);
  }
  await page.evaluate('scrollTo(0, 0)');
  await t.notThrowsAsync(eventually(() => marked(page), []));
});

test.serial('a chosen section is marked although it is too near to the end of the page to reach the top', async (t) => {
  const page = await openPage(t, { viewport: wide });
  await page.goto(`${server().url}/docs/errors`);
  const links = page.locator('.on-this-page a');
  const names = (await links.allTextContents()).slice(-3);

  for (const name of names) {
    await links.getByText(name, { exact: true }).click();
    await eventually(() => marked(page), [name]);
  }
  t.is(names.length, 3);
});

test.serial(
  'on a narrow screen the contents are folded, name the section, and open and close by keyboard',
  async (t) => {
    const page = await openPage(t, { viewport: narrow });
    await page.goto(`${server().url}/docs/retries`);
    const button = page.getByRole('button', { name: 'On this page' });
    const list = page.getByRole('navigation', { name: 'On this page' });
    t.false(await list.isVisible());

    await button.focus();
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'Catching up' }).waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.keyboard.press('Escape');
    t.false(await list.isVisible());
    await button.click();
    await list.getByRole('link', { name: 'An endpoint that fails' }).click();

    await eventually(() => button.innerText(), 'On this page · An endpoint that fails');
    t.false(await list.isVisible());
    t.true(await isInView(page, '#an-endpoint-that-fails'));
  },
);

test.serial('the contents of an operation on a narrow screen lead to its samples', async (t) => {
  const page = await openPage(t, { viewport: narrow });
  await page.goto(`${server().url}/docs/reference/createCheckout`);

  await page.getByRole('button', { name: 'On this page' }).click();
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Request', exact: true })
    .click();

  await t.notThrowsAsync(eventually(() => isInView(page, '#request'), true));
});

test.serial('without JavaScript the contents open on a narrow screen and lead to a section', async (t) => {
  const page = await openPage(t, { viewport: narrow, javaScriptEnabled: false });
  await page.goto(`${server().url}/docs/retries`);

  await page.getByRole('button', { name: 'On this page' }).click();
  await page.getByRole('link', { name: 'Catching up' }).click();

  t.is(new URL(page.url()).hash, '#catching-up');
});

test.serial('a printed page has its text and the chosen program, and neither contents nor buttons', async (t) => {
  const page = await openPage(t, { viewport: narrow });
  await page.goto(`${server().url}/docs/reference/createCheckout`);
  await page.getByRole('tab', { name: 'Ruby' }).click();

  await page.emulateMedia({ media: 'print' });

  const shown = await page.locator('.tabs > [data-title]:visible').evaluateAll((found) => found.map(({ id }) => id));
  t.deepEqual(shown, ['ruby']);
  t.is(await page.locator(':is(.bar, .contents, .on-this-page, button):visible').count(), 0);
  t.true(await page.getByText('Ruby', { exact: true }).last().isVisible());
});

function marked(page: Page): Promise<string[]> {
  return page.locator('.on-this-page [aria-current=location]').allTextContents();
}

/** Whether nothing covers the element. */
function isInView(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const element = document.querySelector('${selector}');
    const { left, top, bottom } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 5, (top + bottom) / 2));
  })()`);
}
