/** Tests ways through the checkout without JavaScript, and typed cards, that npm test leaves out. */
import test from 'ava';
import { browserForFile } from '../../support/browser/browser.ts';
import { asOthersFill, cards, openForm, typeCard, typingTitle } from '../../support/pages/card-form.ts';
import { declinedCard, pay, startCheckout, waitForDecline, waitForHeading } from '../../support/pages/checkout-page.ts';
import { otherWays } from '../../support/pages/ways-of-customers.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

for (const [titleFor, walk] of otherWays) {
  test.serial(titleFor('a customer without JavaScript'), async (t) =>
    walk(t, await openPage(t, { javaScriptEnabled: false }), server()),
  );
}

for (const card of [cards.Mastercard, cards.AmericanExpress]) {
  test.serial(typingTitle(card), async (t) => typeCard(t, await openPage(t), { server: server(), card }));
}

test.serial(
  'without JavaScript, the form accepts the same values as with it, and refuses a card number as a name',
  async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false });
    const { payment } = await openForm(page, server());
    for (const { label, text } of asOthersFill.filter(({ text }) => text !== '1 2 3 4')) {
      const field = page.getByLabel(label);
      await field.fill('');
      await field.focus();
      await page.keyboard.insertText(text);
    }
    const name = page.getByLabel('Name on card');
    await name.fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: /^Pay / }).click();
    t.is((await payment()).status, 'pending');
    await name.fill('شركة ٧ نجوم');
    await page.getByLabel('Expiry date').fill('2030-12');

    await page.getByRole('button', { name: /^Pay / }).click();

    await waitForHeading(page, 'Payment successful');
    t.is((await payment()).status, 'completed');
  },
);

test.serial('the form that the back button shows after a decline charges nothing', async (t) => {
  const { checkoutUrl, payment } = await startCheckout(server());
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForDecline(page);

  await page.goBack();
  await waitForDecline(page);

  t.like(await payment(), { attempts: 1 });
});
