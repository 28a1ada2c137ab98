/** Every way in which customers type, paste, correct and leave what a card has. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import {
  amexCard,
  declinedCard,
  fillIn,
  goodCard,
  pay,
  startCheckout,
  waitForHeading,
} from '../../support/pages/checkout-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

async function openForm(page: Page) {
  const checkout = await startCheckout(server());
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

const hasFocus = (page: Page, label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();

const messages = (page: Page) => page.locator('.field-error:visible').allTextContents();

/** Types into a field without leaving it. */
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.type(text);
}

test.serial('a pasted number is grouped, and the cursor goes on', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  await page.getByLabel('Card number').focus();

  // The keyboard inserts the text at once, as the clipboard does.
  await page.keyboard.insertText('378282246310005');
  await hasFocus(page, 'Expiry date');

  t.is(await page.getByLabel('Card number').inputValue(), amexCard);
});

test.serial('a date with a slash and a code with a space are read as they are meant', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  await page.getByLabel('Card number').fill(goodCard);

  await typeInto(page, 'Expiry date', '1/40');
  await hasFocus(page, 'Security code');
  await page.keyboard.type('9 8x7');
  await hasFocus(page, 'Name on card');

  t.is(await page.getByLabel('Expiry date').inputValue(), '01 / 40');
  t.is(await page.getByLabel('Security code').inputValue(), '987');
});

test.serial('the cursor stays where the customer corrects, goes back, or has a wrong number', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  const number = page.getByLabel('Card number');

  await typeInto(page, 'Card number', '4242424242424241');
  await hasFocus(page, 'Card number');
  await page.keyboard.press('Backspace');
  // The missing digit is not at the end.
  await number.fill('4242 4242 4242 242');
  for (const _ of '242') await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('4');
  await hasFocus(page, 'Card number');
  t.is(await number.inputValue(), goodCard);
  t.is(await number.evaluate((input: { selectionStart?: number }) => input.selectionStart), '4242 4242 4242 4'.length);
  await page.getByLabel('Expiry date').fill('12 / 40');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await hasFocus(page, 'Card number');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');

  await hasFocus(page, 'Card number');
  t.is(await number.inputValue(), goodCard);
});

test.serial('the cursor stays when the browser fills the form', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  await page.getByLabel('Card number').focus();

  await page.getByLabel('Card number').evaluate((input: { value?: string; dispatchEvent(event: Event): unknown }) => {
    input.value = '4242424242424242';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });

  await hasFocus(page, 'Card number');
  t.is(await page.getByLabel('Card number').inputValue(), goodCard);
});

test.serial(
  'a field that was left empty is named only when the form is sent, and not while it is filled',
  async (t) => {
    const page = await openPage(t);
    await openForm(page);

    for (const _ of ['number', 'date', 'code', 'name']) await page.keyboard.press('Tab');
    t.deepEqual(await messages(page), []);
    await page.getByRole('button', { name: /^Pay / }).click();
    t.is((await messages(page)).length, 4);
    await typeInto(page, 'Card number', '4');

    t.deepEqual(await messages(page), [
      'Enter the expiry date',
      'Enter the security code',
      'Enter the name on the card',
    ]);
  },
);

test.serial('the code is judged again when the number becomes one of another brand', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  await fillIn(page, { number: amexCard, cvc: '123' });
  t.deepEqual(await messages(page), ['The security code of an American Express card is the 4 digits on its front']);

  await page.getByLabel('Card number').fill(goodCard);

  t.deepEqual(await messages(page), []);
});

test.serial('a click that leaves a wrong field reaches its button, although the message moves the page', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl } = await startCheckout(server(), { callbackUrl: 'https://shop.example.com' });
  await page.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'Back at the shop' }));
  await page.goto(checkoutUrl);
  await typeInto(page, 'Card number', '42');
  const link = await page.getByRole('link', { name: 'without paying' }).boundingBox();
  if (!link) throw new Error('The form has no link back.');

  await page.mouse.move(link.x + link.width / 2, link.y + 3);
  await page.mouse.down();
  // The page has time to show a message, as while a person holds the button.
  await page.evaluate('document.body.offsetHeight');
  await page.mouse.up();

  await t.notThrowsAsync(page.getByText('Back at the shop').waitFor());
});

for (const javaScriptEnabled of [true, false]) {
  const without = javaScriptEnabled ? '' : ', without JavaScript';
  test.serial(`the test cards are folded until the banner’s link opens them${without}`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await openForm(page);
    const card = page.getByText('4000 0000 0000 3220');

    t.false(await card.isVisible());
    await page.getByRole('link', { name: 'Use a test card' }).click();

    await t.notThrowsAsync(card.waitFor());
  });
}

test.serial('a test card of American Express fills a code of four digits', async (t) => {
  const page = await openPage(t);
  const { payment } = await openForm(page);

  await page.getByText('Test cards', { exact: true }).click();
  await page.getByRole('button', { name: 'Use the card 3782 822463 10005: Succeeds' }).click();
  t.is(await page.getByLabel('Security code').inputValue(), '1234');
  await page.getByRole('button', { name: /^Pay / }).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { paymentMethod: { brand: 'amex', last4: '0005' } });
});

test.serial('after a decline and the back button, the form takes another card', async (t) => {
  const page = await openPage(t);
  const { payment } = await openForm(page);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');

  await page.goBack();
  await page.getByRole('link', { name: 'Try again' }).click();
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { attempts: 2 });
});

const asOthersFill = [
  { label: 'Expiry date', text: '2030-12', is: '12 / 30' },
  { label: 'Expiry date', text: '2030/12', is: '12 / 30' },
  { label: 'Expiry date', text: '203012', is: '12 / 30' },
  { label: 'Expiry date', text: ' 12/30 ', is: '12 / 30' },
  { label: 'Expiry date', text: '٢٠٣٠-١٢', is: '12 / 30' },
  { label: 'Security code', text: ' 123', is: '123' },
  { label: 'Security code', text: '1 2 3 4', is: '123' },
  { label: 'Security code', text: ' ٩٨٧ ', is: '987' },
  { label: 'Card number', text: `        ${goodCard} `, is: goodCard },
  { label: 'Card number', text: '4242-4242-4242-4242', is: goodCard },
  { label: 'Name on card', text: 'Studio 54 GmbH', is: 'Studio 54 GmbH' },
];

test.serial(
  'what is pasted or filled in with blanks, as year and month, or with digits in a name is taken',
  async (t) => {
    const page = await openPage(t);
    await openForm(page);
    await fillIn(page, { number: goodCard });

    for (const { label, text, is } of asOthersFill) {
      const field = page.getByLabel(label);
      await field.fill('');
      await field.focus();
      // It obeys `maxlength`, as a paste does.
      await page.keyboard.insertText(text);
      t.is(await field.inputValue(), is, text);
      await field.blur();
      t.deepEqual(await messages(page), [], text);
    }
  },
);

for (const [keys, shown] of [
  ['2030-12', '12 / 30'],
  ['2030/12', '12 / 30'],
  ['203012', '12 / 30'],
  ['240', '02 / 40'],
  ['2/40', '02 / 40'],
  ['0240', '02 / 40'],
  ['940', '09 / 40'],
  ['1240', '12 / 40'],
  ['12/2040', '12 / 40'],
] as const) {
  test.serial(`an expiry date that is typed as ${keys}, key by key, is ${shown}`, async (t) => {
    const page = await openPage(t);
    await openForm(page);
    const field = page.getByLabel('Expiry date');

    await field.pressSequentially(keys);

    t.is(await field.inputValue(), shown);
  });
}

test.serial('without script, the form takes blanks inside the card number, the expiry date and the code', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await openForm(page);

  await pay(page, { number: goodCard.replaceAll(' ', '  '), expiry: '12  /  40', cvc: '1 2 3' });

  await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
});
