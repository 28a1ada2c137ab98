import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import {
  amexCard,
  declinedCard,
  expireCheckout,
  goodCard,
  merchantSite,
  pay,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const checkout = (details?: Partial<CheckoutRequest>) => startCheckout(server(), details);

const white = 'rgb(255, 255, 255)';
const none = 'rgba(0, 0, 0, 0)';

test.serial('the printed receipt is black on white, says TEST, and has all facts and no button', async (t) => {
  const page = await openPage(t, { colorScheme: 'dark' });
  const { checkoutUrl, reference } = await checkout({ callbackUrl: 'https://shop.example.com' });
  await page.goto(checkoutUrl);
  await pay(page, { number: amexCard, cvc: '1234' });
  await waitForHeading(page, 'Payment successful');

  await page.emulateMedia({ media: 'print' });

  const paper = await page.locator('body').innerText();
  for (const fact of ['TEST MODE', 'Ada’s Books', '₦5,000.00', 'American Express ending in 0005', reference, '2026']) {
    t.true(paper.includes(fact), `${fact} in ${paper}`);
  }
  t.is(await page.locator('button:visible, a:visible, img:visible').count(), 0);
  const colours = await coloursOn(page);
  t.deepEqual(colours.text, ['rgb(0, 0, 0)']);
  t.deepEqual(
    colours.backgrounds.filter((colour) => colour !== white && colour !== none),
    [],
  );
});

for (const format of ['A4', 'Letter'] as const) {
  test.serial(`the longest receipt is one page on ${format}`, async (t) => {
    const page = await openPage(t);
    const description = 'Two books, with a long description. '.repeat(5);
    const { checkoutUrl } = await checkout({ description, reference: 'x'.repeat(64) });
    await page.goto(checkoutUrl);
    await pay(page, { number: goodCard });
    await waitForHeading(page, 'Payment successful');

    const pdf = (await page.pdf({ format })).toString('latin1');

    t.is(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1);
  });
}

/** The colours of all texts and backgrounds that are visible. */
async function coloursOn(page: Page): Promise<{ text: string[]; backgrounds: string[] }> {
  return page.evaluate(`(() => {
    const shown = [...document.querySelectorAll('html, body, body *')].filter((each) => each.checkVisibility());
    const styles = shown.map((each) => getComputedStyle(each));
    const all = (of) => [...new Set(styles.map(of))];
    return { text: all(({ color }) => color), backgrounds: all(({ backgroundColor }) => backgroundColor) };
  })()`);
}

test.serial('a customer who prints the receipt is not sent to the merchant meanwhile', async (t) => {
  const site = await merchantSite(t);
  const page = await openPage(t);
  await page.addInitScript('window.print = () => { window.hasPrinted = true; };');
  await page.clock.install();
  const { checkoutUrl } = await checkout({ callbackUrl: `${site}/thanks` });
  await page.goto(checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await page.getByRole('button', { name: 'Print receipt' }).click();
  await page.clock.runFor('00:10');

  t.true(await page.evaluate('window.hasPrinted'));
  t.true(page.url().startsWith(checkoutUrl));
  await page.getByRole('link', { name: 'Return to Ada’s Books' }).waitFor();
  t.is(await page.getByText('Taking you back').count(), 0);
});

test.serial('a checkout that the merchant cancelled says so, and not that it expired', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, client, reference } = await checkout();
  await client.payments.cancel(reference);

  await page.goto(checkoutUrl);
  await waitForHeading(page, 'This payment was cancelled');

  const words = await page.getByRole('main').innerText();
  t.regex(words, /Ada’s Books cancelled this payment of ₦5,000\.00\. Nothing was charged\./);
  t.notRegex(words, /expired|failed|declined/i);
});

test.serial('a checkout that the customer cancelled says so, also when the link is opened later', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl } = await checkout();
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await page.getByRole('button', { name: 'Cancel this payment' }).click();
  await waitForHeading(page, 'You cancelled this payment');

  await page.goto(checkoutUrl);
  await waitForHeading(page, 'You cancelled this payment');

  t.notRegex(await page.getByRole('main').innerText(), /expired|failed|declined/i);
});

test.serial('a payment whose time was over after a decline was cancelled by nobody', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, client } = await checkout();
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');
  await expireCheckout(client);

  await page.goto(checkoutUrl);

  await t.notThrowsAsync(waitForHeading(page, 'Payment not completed'));
});
