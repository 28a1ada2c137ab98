/** Tests every state of a payment after a refresh and on paper, every language, and a language without a catalogue. */
import type { CheckoutRequest, Payment } from '@tillhook/openapi';
import { catalogues } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import { waitForStyleSheets } from '../../support/browser/look.ts';
import { payByForm } from '../../support/money/hosted-page.ts';
import { leaveAttemptUndecided } from '../../support/money/payments.ts';
import { languages, payInLanguage, type Sentences, withPlainSpaces } from '../../support/pages/checkout-languages.ts';
import {
  customers,
  declinedCard,
  expireCheckout,
  fillIn,
  goodCard,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForDecline,
  waitForHeading,
} from '../../support/pages/checkout-page.ts';
import { checkoutScenes, checkoutStates } from '../../support/pages/checkout-scenes.ts';
import { speakPseudoLanguage } from '../../support/pages/pseudo-language.ts';
import { confirmStep, reachBankStep } from '../../support/pages/ways-of-customers.ts';
import { ownServerForFile, serverForFile, usualSettings } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

type Checkout = Awaited<ReturnType<typeof startCheckout>>;

const states: Record<
  string,
  { heading: string; status: Payment['status']; reach?: (page: Page, to: Checkout) => Promise<void> }
> = {
  'waits for its customer': { heading: 'Payment method', status: 'pending' },
  'was declined': {
    heading: 'Payment method',
    status: 'pending',
    reach: async (page) => {
      await pay(page, { number: declinedCard });
      await waitForDecline(page);
    },
  },
  'waits for the bank': {
    heading: 'Confirm it is you',
    status: 'processing',
    reach: (page) => pay(page, { number: threeDSecureCard }),
  },
  'is being decided': {
    heading: 'Still processing',
    status: 'processing',
    reach: async (page, { accessCode }) => {
      await leaveAttemptUndecided(server(), accessCode);
      await page.reload();
    },
  },
  'is paid': { heading: 'Payment successful', status: 'completed', reach: (page) => pay(page, { number: goodCard }) },
  failed: {
    heading: 'Payment not completed',
    status: 'failed',
    reach: async (page, { checkoutUrl }) => {
      for (const number of [declinedCard, declinedCard, declinedCard]) await payByForm(checkoutUrl, number);
      await page.reload();
    },
  },
  'was cancelled by its customer': {
    heading: 'You cancelled this payment',
    status: 'failed',
    reach: async (page) => {
      await pay(page, { number: declinedCard });
      await page.getByRole('button', { name: 'Cancel this payment' }).click();
    },
  },
  'was cancelled by the merchant': {
    heading: 'This payment was cancelled',
    status: 'expired',
    reach: async (page, { client, reference }) => {
      await client.payments.cancel(reference);
      await page.reload();
    },
  },
  expired: {
    heading: 'This link has expired',
    status: 'expired',
    reach: async (page, { client }) => {
      await expireCheckout(client);
      await page.reload();
    },
  },
};

for (const [state, { heading, status, reach }] of Object.entries(states)) {
  test.serial(
    `the page of a payment that ${state} is the same after a refresh, with JavaScript and without`,
    async (t) => {
      const checkout = await startCheckout(server());
      const page = await openPage(t);
      await page.goto(checkout.checkoutUrl);
      await reach?.(page, checkout);
      await waitForHeading(page, heading);
      const before = await checkout.payment();

      await page.reload();
      await waitForHeading(page, heading);
      t.regex(await (await fetch(page.url())).text(), new RegExp(`<h1[^>]*>${heading}</h1>`));

      t.is(before.status, status);
      t.deepEqual(await checkout.payment(), before);
    },
  );
}

test.serial(
  'a page that polls keeps focus and scroll position, and announces to screen readers that the payment takes long',
  async (t) => {
    const { checkoutUrl, accessCode } = await startCheckout(server());
    await leaveAttemptUndecided(server(), accessCode);
    const page = await openPage(t, { isNew: true });
    await page.clock.install();
    await page.goto(checkoutUrl);
    await waitForHeading(page, 'Still processing');
    await page.getByRole('link', { name: 'Look again' }).focus();
    let arrivals = 0;
    page.on('framenavigated', () => {
      arrivals += 1;
    });

    const slow = page.getByRole('status').getByText('This takes longer than usual.');
    for (let look = 0; look < 20 && !(await slow.isVisible()); look += 1) {
      const answer = page.waitForResponse((response) => response.url().startsWith(checkoutUrl));
      await page.clock.runFor('00:03');
      await (await answer).finished();
    }
    await slow.waitFor();

    await page.getByRole('link', { name: 'Look again' }).and(page.locator(':focus')).waitFor();
    t.is(arrivals, 0);
  },
);

test.serial('the 3-D Secure question is still shown after a refresh and when the link is opened again', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await reachBankStep(page, server());

  await page.reload();
  await waitForHeading(page, 'Confirm it is you');
  await page.goto(checkoutUrl);
  await waitForHeading(page, 'Confirm it is you');
  await confirmStep(page).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 1 });
});

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(
    `${customer} cancels the 3-D Secure step and pays with another card, and the cancelled step is not counted as an attempt`,
    async (t) => {
      const page = await openPage(t, { javaScriptEnabled });
      const { payment } = await reachBankStep(page, server());

      await page.getByRole('link', { name: 'Cancel and use another card' }).click();
      await waitForHeading(page, 'Payment method');
      t.like(await payment(), { status: 'pending', attempts: 0, failureCode: null });
      await pay(page, { number: goodCard });
      await waitForHeading(page, 'Payment successful');

      t.like(await payment(), { status: 'completed', attempts: 1 });
    },
  );
}

test.serial('a 3-D Secure answer without a nonce, or with an unknown value, changes nothing', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await reachBankStep(page, server());
  const nonce = await page.locator('[name="nonce"]').inputValue();

  const forms: Record<string, string>[] = [
    { step: 'complete' },
    { step: 'complete', nonce: nonce.replace('v1', 'v2') },
    { step: 'maybe', nonce },
    { nonce },
  ];
  for (const form of forms) {
    const answer = await fetch(`${checkoutUrl}/step`, { method: 'POST', body: new URLSearchParams(form) });
    t.regex(await answer.text(), /Confirm it is you/);
  }

  t.like(await payment(), { status: 'processing', attempts: 1 });
});

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

test.serial('the page of an expired payment says that the link has expired, and has no card form', async (t) => {
  const { checkoutUrl, client, payment } = await checkout();
  await expireCheckout(client);
  const page = await openPage(t, { javaScriptEnabled: false });

  const response = await page.goto(checkoutUrl);
  await waitForHeading(page, 'This link has expired');

  t.is(response?.status(), 200);
  t.is(await page.getByLabel('Card number').count(), 0);
  t.like(await payment(), { status: 'expired', attempts: 0 });
});

test.serial('an open form of test mode shows that the payment now expires earlier, and keeps typed text', async (t) => {
  const { checkoutUrl, client } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  const name = page.getByLabel('Name on card');
  await name.fill('Ada Lovelace');
  t.false(await page.getByRole('timer').isVisible());

  await client.test.advanceTime({ seconds: 86_400 - 299 });

  await page
    .getByRole('timer')
    .getByText(/^4:\d\d$/)
    .waitFor();
  t.is(await name.inputValue(), 'Ada Lovelace');
  await client.test.advanceTime({ seconds: 300 });
  await t.notThrowsAsync(waitForHeading(page, 'This link has expired'));
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

test.serial('the page of a payment that expired after a decline does not call the payment cancelled', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, client } = await checkout();
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForDecline(page);
  await expireCheckout(client);

  await page.goto(checkoutUrl);

  await t.notThrowsAsync(waitForHeading(page, 'Payment not completed'));
});

for (const said of languages) {
  for (const [customer, javaScriptEnabled] of customers) {
    test.serial(`${customer} makes a mistake, is declined and pays in ${said.locale}, at 320 pixels`, async (t) => {
      const page = await openPage(t, { javaScriptEnabled, viewport: { width: 320, height: 640 } });

      await payInLanguage(t, page, { server: server(), said });
    });
  }
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} with Arabic digits sees Arabic digits everywhere, and can type them`, async (t) => {
    const { checkoutUrl, payment } = await checkout({ locale: 'ar-EG-u-nu-arab' });
    const page = await openPage(t, { javaScriptEnabled });
    const { labels } = arabic;

    await page.goto(checkoutUrl);
    t.is(await page.locator('html').getAttribute('lang'), 'ar-EG-u-nu-arab');
    t.true((await page.locator('.amount').innerText()).includes('٥٬٠٠٠٫٠٠'));
    await fillIn(page, { number: '٤٠٠٠ ٠٠٠٠ ٠٠٠٠ ٠٠٠٢', expiry: '١٢ / ٤٠', cvc: '９８７' }, labels);
    const values = await page
      .locator('[data-card-form] input:visible')
      .evaluateAll((inputs) => inputs.map((input) => ('value' in input ? input.value : '')));
    const ascii = ['4000 0000 0000 0002', '12 / 40', '987', 'Ada Lovelace'];
    t.deepEqual(values, javaScriptEnabled ? ascii : ['٤٠٠٠ ٠٠٠٠ ٠٠٠٠ ٠٠٠٢', '١٢ / ٤٠', '９８７', 'Ada Lovelace']);
    await page.getByRole('button', { name: labels.pay }).click();
    await page.getByRole('heading', { name: arabic.declined }).waitFor();
    await page.getByText('بقيت لديك محاولتان.').waitFor();
    await pay(page, { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '١٢ / ٤٠' }, labels);
    await waitForHeading(page, arabic.paid);

    t.regex(await page.locator('time').innerText(), /^[٠-٩]{1,2} /);
    t.like(await payment(), { status: 'completed', paymentMethod: { brand: 'visa', last4: '4242' } });
  });
}

test.serial('a customer can pay with Arabic digits that were typed before the script had loaded', async (t) => {
  const { checkoutUrl, payment } = await checkout({ locale: 'ar-EG-u-nu-arab' });
  const page = await openPage(t);
  const { promise: isFilled, resolve: filled } = Promise.withResolvers<void>();
  await page.route('**/card-form.js', async (route) => {
    await isFilled;
    await route.fallback();
  });

  await page.goto(checkoutUrl, { waitUntil: 'commit' });
  await fillIn(page, { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '١٢ / ٤٠', cvc: '٩٨７' }, arabic.labels);
  filled();
  await page.waitForLoadState('load');
  await page.getByRole('button', { name: arabic.labels.pay }).click();

  await waitForHeading(page, arabic.paid);
  t.like(await payment(), { status: 'completed' });
});

test.serial(
  'the minutes and seconds of the countdown have the digits of the locale, even if the script writes them',
  async (t) => {
    const { checkoutUrl, client } = await checkout({ locale: 'ar-EG-u-nu-arab' });
    await client.test.advanceTime({ seconds: 86_400 - 299 });
    const withoutScript = await openPage(t, { javaScriptEnabled: false });
    await withoutScript.goto(checkoutUrl);
    t.is(await withoutScript.locator('[data-countdown]').innerText(), '٥ دقائق');

    const page = await openPage(t);
    await page.goto(checkoutUrl);
    await page.locator('[data-countdown]').filter({ hasText: ':' }).waitFor();
    t.regex(await page.locator('[data-countdown]').innerText(), /^[٠-٩]:[٠-٩]{2}$/);
  },
);

test.serial(
  'a page without a locale is in the language of the browser, with the number format of that language',
  async (t) => {
    const page = await openPage(t, { locale: 'pt-BR' });
    await page.goto((await checkout()).checkoutUrl);
    await waitForHeading(page, 'Forma de pagamento');

    t.is(withPlainSpaces(await page.locator('.amount').innerText()), '₦ 5.000,00');
  },
);

test.serial(
  'for a locale without a catalogue, the browser chooses the words, and the locale the number format',
  async (t) => {
    const { checkoutUrl } = await checkout({ locale: 'sw-CD', currency: 'EUR' });
    const french = await openPage(t, { locale: 'fr-FR' });
    await french.goto(checkoutUrl);
    await waitForHeading(french, 'Moyen de paiement');
    t.is(await french.locator('html').getAttribute('lang'), 'fr-FR');
    t.is(await french.locator('.amount bdi').getAttribute('lang'), 'sw-CD');
    // In the locale sw-CD, points separate thousands. In French, spaces do.
    t.is(withPlainSpaces(await french.locator('.amount').innerText()), '€ 5.000,00');

    const japanese = await openPage(t, { locale: 'ja' });
    await japanese.goto(checkoutUrl);
    await waitForHeading(japanese, 'Payment method');
  },
);

for (const [accepted, lang, sentence] of [
  ['de-CH,fr;q=0.9', 'de-CH', 'Zahlung nicht gefunden'],
  ['ja,ar;q=0.5', 'ar', 'عملية الدفع غير موجودة'],
  ['ja', 'en', 'Payment not found'],
] as const) {
  test.serial(`a page without a payment is in the language of the browser: ${accepted}`, async (t) => {
    const answer = await fetch(`${server().url}/checkout/nowhere`, { headers: { 'accept-language': accepted } });
    const page = await answer.text();

    t.is(answer.status, 404);
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.true(page.includes(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`), page.slice(0, 60));
    t.true(page.includes(`<h1>${sentence}</h1>`));
  });
}

const arabic = languages.find(({ dir }) => dir === 'rtl') as Sentences;

speakPseudoLanguage();

const changedServer = ownServerForFile(usualSettings);

/** Texts that stay untranslated: values of the merchant and the customer, and names that all languages share. */
const notTranslated = [
  'Ada’s Books',
  'ADAS BOOKS',
  'help@shop.example.com',
  'ada@example.com',
  // A line may break after the @ of an address.
  'ada@',
  'example.com',
  'order-1042',
  'Two books',
  'Paperback atlas',
  'Spring fundraiser',
  'The atlas of the year',
  'For new shelves in the reading room.',
  'Thank you!',
  'NGN',
  'KES',
  'M-Pesa',
  'Airtel Money',
  'Test Bank',
  'Tillhook Test',
  'Demo Store',
  'Tillhook',
  'Visa',
  'Mastercard',
  '3-D Secure',
];

test('the pseudo-language has accents on each letter, and longer sentences', (t) => {
  t.is(catalogues.en['form.pay'], 'Ṕáý ñô{amount}');
  t.regex(catalogues.en['form.attemptsLeft'], /^Ýóú h́áv́é .*\{attempts, ?plural, ?one ?\{# /);
});

for (const [name, open] of Object.entries({ ...checkoutScenes, ...checkoutStates })) {
  test.serial(`${name} has no word that is missing in the catalogues, and longer words fit`, async (t) => {
    const page = await openPage(t, { viewport: { width: 1280, height: 800 } });
    await open(page, changedServer());
    await waitForStyleSheets(page);

    const texts = await page.evaluate<string[]>(texting);
    t.deepEqual(texts.filter(hasPlainWord), []);
    t.true(texts.length > 3);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      t.deepEqual(await page.evaluate<string[]>(overflowing), [], `${width} pixels`);
    }
  });
}

/** Each letter of the pseudo-language has an accent, so two adjacent letters without accents are in no catalogue. */
function hasPlainWord(text: string): boolean {
  return /[a-z]{2}/i.test(notTranslated.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

/** Leaves out the names of items, the request id, the account of a bank transfer, and times, which the browser formats. */
const texting = `(() => {
  const skipped = 'script, style, noscript, time, code, .item-name > bdi, .account strong';
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(skipped)) texts.push(walker.currentNode.data.trim());
  const said = /^(title|alt|placeholder|aria-label|aria-description)$|^data-(busy|words|missing|wrong|past|slow|holder|title|error-title|sentences)$/;
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) if (said.test(name)) texts.push(value);
  }
  return texts.filter(Boolean);
})()`;

const overflowing = `(() => {
  const root = document.documentElement;
  const isWide = (element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && getComputedStyle(element).display !== 'inline';
  return [root, ...document.body.querySelectorAll('*:not(input, svg, svg *)')]
    .filter(isWide)
    .map((element) => element.outerHTML.slice(0, 120));
})()`;
