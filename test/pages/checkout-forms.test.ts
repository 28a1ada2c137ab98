import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { filledForm, send } from '../support/money/hosted-page.ts';
import { cards, messages, openForm, typeCard, typeInto, typingTitle } from '../support/pages/card-form.ts';
import {
  clickTwice,
  declinedCard,
  fillIn,
  focusedSummary,
  goodCard,
  pay,
  startCheckout,
  waitForDecline,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

test.serial(
  'for an invalid field a message is shown beside the field and in the focused summary, and no card is sent',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));

    await page.goto(checkoutUrl);
    await pay(page, { number: '4111 1111 1111 1111', expiry: '01 / 20', cvc: '1', name: '' });

    t.deepEqual(await mistakesOn(page), [
      'Use one of the test cards; a real card is never charged here',
      'This card has expired; check the date or use another card',
      'The security code of this card is the 3 digits on its back',
      'Enter the name on the card',
    ]);
    t.deepEqual(sent, []);
    t.is((await payment()).attempts, 0);
  },
);

test.serial(
  'when the browser does not check the form, the server reports the same mistakes, and never returns the card number',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t, { javaScriptEnabled: false });

    await page.goto(checkoutUrl);
    await page.locator('[data-card-form]').evaluate((form) => form.setAttribute('novalidate', ''));
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await pay(page, { number: '4111 1111 1111 1111', expiry: '01 / 20', cvc: '987', name: 'Ada Lovelace' });

    t.is((await answer).status(), 422);
    t.deepEqual(await mistakesOn(page), [
      'Use one of the test cards; a real card is never charged here',
      'This card has expired; check the date or use another card',
    ]);
    t.false(/4111 ?1111/.test(await page.content()));
    t.is(await page.getByLabel('Card number').inputValue(), '');
    t.is(await page.getByLabel('Security code').inputValue(), '');
    t.is(await page.getByLabel('Name on card').inputValue(), 'Ada Lovelace');
    t.is((await payment()).attempts, 0);
  },
);

async function mistakesOn(page: Page): Promise<string[]> {
  const summary = focusedSummary(page);
  await summary.waitFor();
  const links = summary.getByRole('link');
  for (const link of await links.all()) {
    const field = page.locator(`input${await link.getAttribute('href')}`);
    const description = page.locator(`#${await field.getAttribute('aria-describedby')}`);
    await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    await description.filter({ hasText: (await link.textContent()) ?? '', visible: true }).waitFor();
  }
  return links.allTextContents();
}

const wrongNumber = 'Check the card number; a digit is wrong or missing';

const wrongExpiry = 'Enter the expiry date as month and year, such as 09 / 30';

async function addTo(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
}

test.serial(typingTitle(cards.Visa), async (t) =>
  typeCard(t, await openPage(t), { server: server(), card: cards.Visa }),
);

test.serial(
  'a field is first checked when the customer leaves it; after a mistake, it is checked while the customer types',
  async (t) => {
    const page = await openPage(t);
    await openForm(page, server());

    await typeInto(page, 'Card number', '424242424242424');
    t.deepEqual(await messages(page), []);
    await page.keyboard.press('Tab');
    t.deepEqual(await messages(page), [wrongNumber]);
    await page.keyboard.type('1340');
    t.deepEqual(await messages(page), [wrongNumber]);
    await page.keyboard.press('Tab');
    t.deepEqual(await messages(page), [wrongNumber, wrongExpiry]);
    await addTo(page, 'Card number', '1');
    t.deepEqual(await messages(page), [wrongNumber, wrongExpiry]);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');

    t.deepEqual(await messages(page), [wrongExpiry]);
    t.is(await page.getByLabel('Card number').getAttribute('aria-invalid'), null);
  },
);

test.serial(
  'screen readers announce the mistakes once, and announce them again only when the mistakes have changed',
  async (t) => {
    const page = await openPage(t);
    await openForm(page, server());
    // A screen reader announces each change in a live region, so the test records the changes.
    await page.evaluate(`{
    window.announced = 0;
    for (const region of document.querySelectorAll('[role="alert"], [role="status"], [aria-live]')) {
      new MutationObserver(() => { window.announced += 1; }).observe(region, { childList: true, characterData: true, subtree: true });
    }
  }`);
    const announced = () => page.evaluate('window.announced');
    const send = () => page.getByRole('button', { name: /^Pay / }).click();

    await typeInto(page, 'Card number', '42');
    await page.keyboard.press('Tab');
    t.deepEqual(await messages(page), [wrongNumber]);
    t.is(await announced(), 0);
    await send();
    await focusedSummary(page).waitFor();
    t.is(await announced(), 1);
    await send();
    await focusedSummary(page).waitFor();
    t.is(await announced(), 1);
    await page.getByLabel('Name on card').fill('Ada Lovelace');
    await send();

    t.is(await announced(), 2);
    t.is(await page.locator('[role="alert"] .field-error, .field-error[role], .field-error[aria-live]').count(), 0);
    t.is(await page.locator('[role="alert"][tabindex]').count(), 0);
  },
);

test.serial('submitting the same form twice, one after the other, creates one payment attempt', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const form = await filledForm(checkoutUrl, declinedCard);

  const first = await send(checkoutUrl, form);
  const second = await send(checkoutUrl, form);

  for (const { status, html } of [first, second]) {
    t.is(status, 200);
    t.regex(html, /<h2>Payment declined/);
  }
  t.like(await payment(), { status: 'pending', attempts: 1 });
});

test.serial('submitting the same form twice at the same time creates one payment attempt', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const form = await filledForm(checkoutUrl, declinedCard);

  await Promise.all(Array.from({ length: 5 }, () => send(checkoutUrl, form)));

  t.like(await payment(), { attempts: 1 });
});

const notOurs: Record<string, (nonce: string) => Promise<string | null>> = {
  'with an invented nonce': async () => 'v1.test.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'with a nonce that was changed': async (nonce) => `${nonce.slice(0, -6)}AAAA${nonce.slice(-2)}`,
  'without a nonce': async () => null,
  'with the nonce of another payment': async () =>
    (await filledForm((await checkout()).checkoutUrl, goodCard)).get('nonce'),
};

for (const [whose, nonceOf] of Object.entries(notOurs)) {
  test.serial(`a form ${whose} is refused with a message and creates no payment`, async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const form = await filledForm(checkoutUrl, goodCard);
    const nonce = await nonceOf(form.get('nonce') ?? '');
    form.delete('nonce');
    if (nonce !== null) form.set('nonce', nonce);

    const { status, html } = await send(checkoutUrl, form);

    t.is(status, 422);
    t.regex(html, /<title>Error: Pay/);
    t.regex(
      html,
      /class="alert"[^>]*autofocus[^<]*<div role="alert">\s*<p>We could not check that this form is ours, so nothing was sent/,
    );
    t.notRegex(html, /value="4242/);
    t.like(await payment(), { status: 'pending', attempts: 0 });
  });
}

test.serial('submitting a form with an unknown access code gets 404', async (t) => {
  const { checkoutUrl, accessCode, payment } = await checkout();
  const form = await filledForm(checkoutUrl, goodCard);

  for (const wrong of ['3f0e7a52-9c1d-4b8e-8a6f-0d2b4c6e8f10', 'nonsense']) {
    const { status, html } = await send(checkoutUrl.replace(accessCode, wrong), form);

    t.is(status, 404);
    t.regex(html, /Payment not found/);
  }

  t.like(await payment(), { status: 'pending', attempts: 0 });
});

test.serial('reloading the page or going back after a payment never charges the customer again', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await page.reload();
  await waitForHeading(page, 'Payment successful');
  await page.goBack();
  await waitForHeading(page, 'Already paid');
  await page.goForward();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 1 });
});

test.serial('submitting the form of a second tab never charges the customer again', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  const tab = await page.context().newPage();
  await Promise.all([page.goto(checkoutUrl), tab.goto(checkoutUrl)]);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await pay(tab, { number: '5555 5555 5555 4444' });
  await waitForHeading(tab, 'Already paid');

  t.like(await payment(), { status: 'completed', attempts: 1, paymentMethod: { last4: '4242' } });
});

test.serial(
  'after a decline in the first tab, submitting the form of a second tab shows the decline and charges nothing',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t);
    const tab = await page.context().newPage();
    await Promise.all([page.goto(checkoutUrl), tab.goto(checkoutUrl)]);
    await pay(page, { number: declinedCard });
    await waitForDecline(page);

    await pay(tab, { number: goodCard });
    await waitForDecline(tab);

    await tab.getByText('Visa ending in 0002').waitFor();
    t.like(await payment(), { status: 'pending', attempts: 1 });
  },
);

test.serial(
  'a second click on the pay button creates no second payment, and the button is shown as busy',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t);
    await page.goto(checkoutUrl);
    await fillIn(page, { number: goodCard });
    // During a navigation the page answers no calls of the test, so the script stores the texts in sessionStorage.
    await page.evaluate(`{
    const said = [...document.querySelectorAll('[data-card-form] :is([data-label], [role="status"])')];
    const note = () => sessionStorage.setItem('said', said.map(({ textContent }) => textContent).join(', '));
    for (const place of said) new MutationObserver(note).observe(place, { childList: true });
  }`);

    const posts = await clickTwice(page, page.getByRole('button', { name: 'Pay ₦5,000.00' }));
    await waitForHeading(page, 'Payment successful');

    t.is(posts(), 1);
    t.is(await page.evaluate(() => sessionStorage.getItem('said')), 'Processing…, Processing…');
    t.like(await payment(), { status: 'completed', attempts: 1 });
  },
);

test.serial('a payment that is submitted in two tabs at the same time is charged once', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  const tab = await page.context().newPage();
  await Promise.all([page.goto(checkoutUrl), tab.goto(checkoutUrl)]);

  await Promise.all([pay(page, { number: goodCard }), pay(tab, { number: '5555 5555 5555 4444' })]);
  await Promise.all(
    [page, tab].map((each) =>
      each.getByRole('heading', { name: /^(Payment successful|Already paid|Still processing)$/ }).waitFor(),
    ),
  );

  t.like(await payment(), { attempts: 1 });
});

test.serial('markup in text of the merchant or the customer is shown as text', async (t) => {
  const description = '<img src=x onerror="alert(1)"> & <b>two</b> "tickets"';
  const email = "ada&lt'b@example.com";
  const merchant = '</span><script>alert(2)</script>';
  const { checkoutUrl } = await checkout({ description, email }, merchant);
  const page = await openPage(t, { isNew: true });
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    return dialog.dismiss();
  });

  await page.goto(checkoutUrl);
  t.is(await page.title(), `Pay ₦5,000.00 to ${merchant}`);
  const written = [await page.getByRole('main').textContent()];
  await pay(page, { number: goodCard, name: '<b>Ada</b>' });
  await waitForHeading(page, 'Payment successful');
  written.push(await page.getByRole('main').textContent());

  for (const text of written) for (const words of [description, email, merchant]) t.true(text?.includes(words), words);
  t.is(await page.locator('img:not(.card-mark, .foot img), b, main script').count(), 0);
});

test.serial('every page loads only from its own origin and never violates its Content-Security-Policy', async (t) => {
  const origins = new Set<string>();
  const page = await openPage(t);
  const violations: string[] = [];
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  const { checkoutUrl } = await checkout();

  await page.goto(`${server().url}/checkout/nonsense`);
  const answer = await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForDecline(page);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.deepEqual([...origins], [server().url]);
  t.deepEqual(violations, []);
  t.regex(answer?.headers()['content-security-policy'] ?? '', /default-src 'none'.*script-src 'self'(;|$)/);
});
