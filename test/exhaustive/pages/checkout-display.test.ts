/** Tests the checkout with the longest words and amounts, every mistake, and every way to type, paste and correct. */
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import { asOthersFill, hasFocus, messages, openForm, typeInto } from '../../support/pages/card-form.ts';
import {
  amexCard,
  declinedCard,
  fillIn,
  focusedSummary,
  goodCard,
  pay,
  showAsPrinted,
  startCheckout,
  threeDSecureCard,
  waitForDecline,
  waitForHeading,
} from '../../support/pages/checkout-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

const maxAmount = 999_999_999_999;

test.serial('the receipt of the largest amount has the same words as any other receipt', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout({ amount: maxAmount, currency: 'KWD', locale: 'de' })).checkoutUrl);

  await page.locator('summary').click();
  await page.getByRole('button', { name: 'Karte 4242 4242 4242 4242 nutzen: Erfolgreich' }).click();
  await page.getByRole('button', { name: 'bezahlen' }).click();
  await waitForHeading(page, 'Zahlung erfolgreich');

  t.is(spoken(await page.getByRole('definition').first().textContent()), '999.999.999,999 KWD');
});

test.serial('the receipt says that Canadian dollars were paid', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout({ amount: 54_000, currency: 'CAD', locale: 'en' })).checkoutUrl);

  await page.locator('summary').click();
  await page.getByRole('button', { name: /4242 4242 4242 4242/ }).click();
  await page.getByRole('button', { name: 'Pay CA$540.00' }).click();
  await waitForHeading(page, 'Payment successful');

  t.regex(spoken(await page.getByRole('main').textContent()), /You paid CA\$540\.00 to Ada’s Books/);
});

test.serial(
  'the expiry date and the security code stand on one line, even when one of their labels needs two lines',
  async (t) => {
    const page = await openPage(t);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto((await checkout({ locale: 'pt-BR' })).checkoutUrl);
    await page.getByRole('button', { name: 'Pagar' }).click();
    await focusedSummary(page);

    const [label, expiry, code] = await Promise.all(
      ['label[for=cvc]', '#expiry', '#cvc'].map((selector) => page.locator(selector).boundingBox()),
    );

    t.true((label?.height ?? 0) > 30, 'the label needs two lines');
    t.is(expiry?.y, code?.y);
    t.not(expiry?.x, code?.x);
  },
);

function spoken(text: string | null): string {
  return (text ?? '')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const long: Partial<CheckoutRequest> = {
  amount: maxAmount,
  currency: 'KWD',
  email: `${'a.very.long.name.'.repeat(3)}x@${'subdomain.'.repeat(4)}example.com`,
  description: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(3).trim(),
};

test.serial('the longest words fit a page of 320 pixels in every state', async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  const merchant = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Töchter';

  await page.goto((await checkout({ ...long, reference: 'x'.repeat(64) }, merchant)).checkoutUrl);
  await fits(page, 'Pay with card');
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('alert').waitFor();
  await fits(page, 'Pay with card');
  await pay(page, { number: declinedCard });
  await waitForDecline(page);
  await fits(page, 'Pay with card');
  await pay(page, { number: threeDSecureCard });
  await fits(page, 'Confirm it is you');
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await fits(page, 'Payment successful');

  async function fits(shown: Page, heading: string) {
    await waitForHeading(shown, heading);
    const { scrollWidth, clientWidth } = await shown
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    t.is(scrollWidth, clientWidth, heading);
  }
});

test.serial('the list of test cards says how a payment and a refund end, as the documentation does', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout()).checkoutUrl);
  const docs = await (await fetch(`${server().url}/docs/test-cards`)).text();

  await page.getByRole('link', { name: 'Use a test card' }).click();
  for (const [number, says] of [
    ['3782 822463 10005', 'Succeeds'],
    ['4242 4242 4242 4242', 'Succeeds'],
    ['4000 0000 0000 3220', 'Asks for 3-D Secure'],
    ['4000 0000 0000 7726', 'Succeeds; a refund completes after 30 seconds'],
    ['4000 0000 0000 5126', 'Succeeds; a refund fails after 30 seconds'],
  ] as const) {
    const item = page.getByRole('listitem').filter({ hasText: number });
    t.is(await item.locator('.test-outcome').innerText(), says);
    const row = docs.split('<tr>').find((each) => each.includes(number)) ?? '';
    t.true(row.includes(`>${says}</td>`), row);
  }
});

test.serial('the picture of the card’s brand changes with the typed number, without moving the layout', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout()).checkoutUrl);
  const number = page.getByLabel('Card number');
  const mark = async () =>
    /card-(\w+)\.svg/.exec((await page.locator('[data-marks] img:visible').getAttribute('src')) ?? '')?.[1];
  const place = await number.boundingBox();

  for (const [typed, brand] of [
    ['', 'unknown'],
    ['4', 'visa'],
    ['55', 'mastercard'],
    ['2221', 'mastercard'],
    ['2220', 'unknown'],
    ['34', 'amex'],
    ['37', 'amex'],
    ['35', 'unknown'],
  ] as const) {
    await number.fill(typed);
    t.is(await mark(), brand, typed);
  }
  t.deepEqual(await number.boundingBox(), place);
});

test.serial('a customer can use a test card with the keyboard, even after mistakes', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('alert').waitFor();
  t.regex(await page.title(), /^Error: Pay/);

  await page.getByRole('link', { name: 'Use a test card' }).press('Enter');
  await page.getByRole('button', { name: 'Use the card 4000 0000 0000 3220: Asks for 3-D Secure' }).press('Enter');
  await page.getByRole('button', { name: 'Pay ₦5,000.00' }).and(page.locator(':focus')).waitFor();
  t.regex(await page.title(), /^Pay/);
  t.is(await page.locator('[aria-invalid]').count(), 0);
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Confirm it is you');

  t.like(await payment(), { paymentMethod: { last4: '3220' } });
});

const wrongCards: [string, Partial<Parameters<typeof fillIn>[1]>, string][] = [
  [
    'a card that is no test card',
    { number: '4111 1111 1111 1111' },
    'Use one of the test cards; a real card is never charged here',
  ],
  [
    'a number with a wrong digit',
    { number: '4242 4242 4242 4241' },
    'Check the card number; a digit is wrong or missing',
  ],
  ['a date that has passed', { expiry: '01 / 20' }, 'This card has expired; check the date or use another card'],
  ['no date', { expiry: '' }, 'Enter the expiry date'],
  ['a code of two digits', { cvc: '12' }, 'The security code of this card is the 3 digits on its back'],
  [
    'a code of three digits for American Express',
    { number: amexCard, cvc: '123' },
    'The security code of an American Express card is the 4 digits on its front',
  ],
  ['no name', { name: '' }, 'Enter the name on the card'],
];

test.serial(
  'the server answers each invalid field with its own message, and the page\'s title begins with "Error:"',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t, { javaScriptEnabled: false });

    for (const [what, typed, words] of wrongCards) {
      await page.goto(checkoutUrl);
      await page
        .locator('form')
        .first()
        .evaluate((form) => form.setAttribute('novalidate', ''));
      await pay(page, { number: goodCard, ...typed });

      await focusedSummary(page).waitFor();
      t.deepEqual(await page.getByRole('alert').getByRole('link').allTextContents(), [words], what);
      t.regex(await page.title(), /^Error: Pay/);
    }

    t.is((await payment()).attempts, 0);
  },
);

const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index + 1}`, quantity: 1, unitAmount: 100 }));

const itemsOf = (page: Page): Locator => page.locator('.line-items');

test.serial('a checkout without items shows no list of items', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server())).checkoutUrl);

  t.is(await itemsOf(page).count(), 0);
});

test.serial('a printed receipt has all items', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server(), { amount: 5000, lineItems: fifty })).checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await showAsPrinted(page);

  t.true(await page.getByText('Item 50', { exact: true }).isVisible());
});

test.serial('the longest names and totals fit a page of 320 pixels', async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  const name = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(4).slice(0, 200);
  const lineItems = [
    { name, quantity: 1, unitAmount: 999_999_990_000 },
    { ...fifty[0], name: 'x'.repeat(200), quantity: 9999, unitAmount: 1 },
  ];
  await page.goto((await startCheckout(server(), { amount: 999_999_999_999, currency: 'KWD', lineItems })).checkoutUrl);

  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  t.is(scrollWidth, clientWidth);
});

test.serial('a pasted number is grouped, and the cursor follows', async (t) => {
  const page = await openPage(t);
  await openForm(page, server());
  await page.getByLabel('Card number').focus();

  // `insertText` inserts the text at once, as a paste does.
  await page.keyboard.insertText('378282246310005');
  await hasFocus(page, 'Expiry date');

  t.is(await page.getByLabel('Card number').inputValue(), amexCard);
});

test.serial('the form accepts an expiry date with a slash and a security code with a space', async (t) => {
  const page = await openPage(t);
  await openForm(page, server());
  await page.getByLabel('Card number').fill(goodCard);

  await typeInto(page, 'Expiry date', '1/40');
  await hasFocus(page, 'Security code');
  await page.keyboard.type('9 8x7');
  await hasFocus(page, 'Name on card');

  t.is(await page.getByLabel('Expiry date').inputValue(), '01 / 40');
  t.is(await page.getByLabel('Security code').inputValue(), '987');
});

test.serial(
  'the cursor keeps its place while the customer corrects a number, goes back, or has typed a wrong number',
  async (t) => {
    const page = await openPage(t);
    await openForm(page, server());
    const number = page.getByLabel('Card number');

    await typeInto(page, 'Card number', '4242424242424241');
    await hasFocus(page, 'Card number');
    await page.keyboard.press('Backspace');
    await number.fill('4242 4242 4242 242');
    for (const _ of '242') await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('4');
    await hasFocus(page, 'Card number');
    t.is(await number.inputValue(), goodCard);
    t.is(
      await number.evaluate((input: { selectionStart?: number }) => input.selectionStart),
      '4242 4242 4242 4'.length,
    );
    await page.getByLabel('Expiry date').fill('12 / 40');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await hasFocus(page, 'Card number');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');

    await hasFocus(page, 'Card number');
    t.is(await number.inputValue(), goodCard);
  },
);

test.serial('the cursor keeps its place when the browser fills the form', async (t) => {
  const page = await openPage(t);
  await openForm(page, server());
  await page.getByLabel('Card number').focus();

  await page.getByLabel('Card number').evaluate((input: { value?: string; dispatchEvent(event: Event): unknown }) => {
    input.value = '4242424242424242';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });

  await hasFocus(page, 'Card number');
  t.is(await page.getByLabel('Card number').inputValue(), goodCard);
});

test.serial('an empty field is reported only when the form is sent, and not while the user fills it in', async (t) => {
  const page = await openPage(t);
  await openForm(page, server());

  for (const _ of ['number', 'date', 'code', 'name']) await page.keyboard.press('Tab');
  t.deepEqual(await messages(page), []);
  await page.getByRole('button', { name: /^Pay / }).click();
  t.is((await messages(page)).length, 4);
  await typeInto(page, 'Card number', '4');

  t.deepEqual(await messages(page), ['Enter the expiry date', 'Enter the security code', 'Enter the name on the card']);
});

test.serial('the security code is checked again when the card number changes to another brand', async (t) => {
  const page = await openPage(t);
  await openForm(page, server());
  await fillIn(page, { number: amexCard, cvc: '123' });
  t.deepEqual(await messages(page), ['The security code of an American Express card is the 4 digits on its front']);

  await page.getByLabel('Card number').fill(goodCard);

  t.deepEqual(await messages(page), []);
});

test.serial(
  'a click on a button while a wrong field has the focus reaches the button, although the error message moves the page',
  async (t) => {
    const page = await openPage(t);
    const { checkoutUrl } = await startCheckout(server(), { callbackUrl: 'https://shop.example.com' });
    await page.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'Back at the shop' }));
    await page.goto(checkoutUrl);
    await typeInto(page, 'Card number', '42');
    const link = await page.getByRole('link', { name: 'without paying' }).boundingBox();
    if (!link) throw new Error('The form has no link back to the shop.');

    await page.mouse.move(link.x + link.width / 2, link.y + 3);
    await page.mouse.down();
    // The wait gives the page time to show a message, as while a person holds the button down.
    await page.evaluate('document.body.offsetHeight');
    await page.mouse.up();

    await t.notThrowsAsync(page.getByText('Back at the shop').waitFor());
  },
);

for (const javaScriptEnabled of [true, false]) {
  const without = javaScriptEnabled ? '' : ', without JavaScript';
  test.serial(`the list of test cards is collapsed until the banner’s link opens it${without}`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await openForm(page, server());
    const card = page.getByText('4000 0000 0000 3220');

    t.false(await card.isVisible());
    await page.getByRole('link', { name: 'Use a test card' }).click();

    await t.notThrowsAsync(card.waitFor());
  });
}

test.serial('a test card of American Express fills in a security code of four digits', async (t) => {
  const page = await openPage(t);
  const { payment } = await openForm(page, server());

  await page.getByText('Test cards', { exact: true }).click();
  await page.getByRole('button', { name: 'Use the card 3782 822463 10005: Succeeds' }).click();
  t.is(await page.getByLabel('Security code').inputValue(), '1234');
  await page.getByRole('button', { name: /^Pay / }).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { paymentMethod: { brand: 'amex', last4: '0005' } });
});

test.serial('after a decline and the back button, the form accepts another card', async (t) => {
  const page = await openPage(t);
  const { payment } = await openForm(page, server());
  await pay(page, { number: declinedCard });
  await waitForDecline(page);

  await page.goBack();
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { attempts: 2 });
});

test.serial(
  'pasted and autofilled values with spaces, as year and month, or with digits in a name are accepted',
  async (t) => {
    const page = await openPage(t);
    await openForm(page, server());
    await fillIn(page, { number: goodCard });

    for (const { label, text, is } of asOthersFill) {
      const field = page.getByLabel(label);
      await field.fill('');
      await field.focus();
      // `insertText` obeys `maxlength`, as a paste does.
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
  test.serial(`an expiry date that is typed as ${keys}, key by key, is shown as ${shown}`, async (t) => {
    const page = await openPage(t);
    await openForm(page, server());
    const field = page.getByLabel('Expiry date');

    await field.pressSequentially(keys);

    t.is(await field.inputValue(), shown);
  });
}

test.serial(
  'without JavaScript, the form accepts spaces inside the card number, the expiry date and the code',
  async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false });
    await openForm(page, server());

    await pay(page, { number: goodCard.replaceAll(' ', '  '), expiry: '12  /  40', cvc: '1 2 3' });

    await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
  },
);
