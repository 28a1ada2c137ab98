/** Tests the hosted pages in Firefox and in WebKit: a customer pays, is declined, and goes back. */
import { inOtherBrowsers, type Tab } from '../../support/browser/tab.ts';
import { eventually } from '../../support/eventually.ts';
import { declinedCard, goodCard, startCheckout, threeDSecureCard } from '../../support/pages/checkout-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();
const inEach = inOtherBrowsers();

inEach('a customer pays, and going back shows the page without the card', async (t, tab) => {
  const { checkoutUrl, payment } = await startCheckout(server());
  await tab.goto(checkoutUrl);
  await pay(tab, goodCard);
  await tab.see('h1', 'Payment successful');

  await tab.back();

  await tab.see('h1', 'Already paid');
  t.is(await tab.run('[...document.querySelectorAll("input:not([type=hidden])")].length'), 0);
  t.is((await payment()).status, 'completed');
});

inEach('after a decline the customer tries another card, by the link or by going back', async (t, tab) => {
  const { checkoutUrl, payment } = await startCheckout(server());
  await tab.goto(checkoutUrl);
  await pay(tab, declinedCard);
  await tab.see('h2', 'Payment declined');
  await pay(tab, declinedCard);
  await eventually(async () => (await payment()).attempts, 2);
  await tab.see('h2', 'Payment declined');

  await tab.back();
  await tab.see('label', 'Card number');
  t.deepEqual(await tab.run('person.find("form input").map(({ name, value }) => name + value)'), [
    'cardNumber',
    'expiry',
    'cvc',
    'cardName',
  ]);
  await pay(tab, goodCard);

  await tab.see('h1', 'Payment successful');
  t.is((await payment()).attempts, 3);
});

inEach('a customer answers the 3-D Secure step', async (t, tab) => {
  const { checkoutUrl, payment } = await startCheckout(server());
  await tab.goto(checkoutUrl);
  await pay(tab, threeDSecureCard);

  await tab.click('button', 'Complete authentication');

  await tab.see('h1', 'Payment successful');
  t.is((await payment()).status, 'completed');
});

inEach('a receipt in Arabic uses one kind of digits', async (t, tab) => {
  const scripts = { 'ar-EG': /[0-9]/, 'ar-AE': /[٠-٩]/, ar: null };
  for (const [locale, other] of Object.entries(scripts)) {
    const { checkoutUrl } = await startCheckout(server(), { locale });
    await tab.goto(checkoutUrl);
    await pay(tab, goodCard);
    await tab.see('time');
    await eventually(() => tab.run('document.readyState'), 'complete');

    const written = await tab.text('time');
    const amount = await tab.text('dd bdi');
    t.log(locale, amount, written);
    const scriptsSeen = [/[0-9]/, /[٠-٩]/].filter((digits) => digits.test(amount + written));
    t.is(scriptsSeen.length, 1, `${amount} ${written}`);
    if (other) t.notRegex(amount + written, other);
  }
});

async function pay(tab: Tab, number: string): Promise<void> {
  await tab.see('#cardNumber');
  await eventually(() => tab.run('document.readyState'), 'complete');
  await tab.fill('#cardNumber', number.replaceAll(' ', ''));
  await tab.fill('#expiry', '1240');
  await tab.fill('#cvc', '987');
  await tab.fill('#cardName', 'Ada Lovelace');
  await tab.press('Enter');
}
