/** The form of the checkout is taken once, however it is sent, and shows no text as markup. */
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import {
  clickTwice,
  declinedCard,
  fillIn,
  goodCard,
  pay,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { filledForm, send } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

test.serial('sending the same form twice makes one attempt', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const form = await filledForm(checkoutUrl, declinedCard);

  const first = await send(checkoutUrl, form);
  const second = await send(checkoutUrl, form);

  for (const { status, html } of [first, second]) {
    t.is(status, 200);
    t.regex(html, /<h1>Payment declined/);
  }
  t.like(await payment(), { status: 'pending', attempts: 1 });
});

test.serial('sending the same form twice at the same time makes one attempt', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const form = await filledForm(checkoutUrl, declinedCard);

  await Promise.all(Array.from({ length: 5 }, () => send(checkoutUrl, form)));

  t.like(await payment(), { attempts: 1 });
});

const notOurs: Record<string, (nonce: string) => Promise<string | null>> = {
  'that signedIn made up': async () => 'v1.test.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'with a nonce that was changed': async (nonce) => `${nonce.slice(0, -6)}AAAA${nonce.slice(-2)}`,
  'without a nonce': async () => null,
  'with the nonce of another payment': async () =>
    (await filledForm((await checkout()).checkoutUrl, goodCard)).get('nonce'),
};

for (const [whose, nonceOf] of Object.entries(notOurs)) {
  test.serial(`a form ${whose} is refused with a message and makes no payment`, async (t) => {
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

test.serial('a form with an unknown access code gets 404', async (t) => {
  const { checkoutUrl, accessCode, payment } = await checkout();
  const form = await filledForm(checkoutUrl, goodCard);

  for (const wrong of ['3f0e7a52-9c1d-4b8e-8a6f-0d2b4c6e8f10', 'nonsense']) {
    const { status, html } = await send(checkoutUrl.replace(accessCode, wrong), form);

    t.is(status, 404);
    t.regex(html, /Payment not found/);
  }

  t.like(await payment(), { status: 'pending', attempts: 0 });
});

test.serial('refreshing or going back after a payment never charges again', async (t) => {
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

test.serial('a form in a second tab never charges again', async (t) => {
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
  'a form in a second tab, after a decline in the first, shows the decline and charges nothing',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t);
    const tab = await page.context().newPage();
    await Promise.all([page.goto(checkoutUrl), tab.goto(checkoutUrl)]);
    await pay(page, { number: declinedCard });
    await waitForHeading(page, 'Payment declined');

    await pay(tab, { number: goodCard });
    await waitForHeading(tab, 'Payment declined');

    await tab.getByText('Visa ending in 0002').waitFor();
    t.like(await payment(), { status: 'pending', attempts: 1 });
  },
);

test.serial('the form that the back button brings back after a decline charges nothing', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');

  await page.goBack();
  await waitForHeading(page, 'Payment declined');

  t.like(await payment(), { attempts: 1 });
});

test.serial('a second click makes no second payment, and the button shows that it is busy', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await fillIn(page, { number: goodCard });
  // A page that is being left answers no more questions, so the test stores the texts in sessionStorage.
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
});

test.serial('two tabs that pay at the same time pay once', async (t) => {
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

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

test.serial('texts of merchant and customer with markup are shown as text', async (t) => {
  const description = '<img src=x onerror="alert(1)"> & <b>two</b> "tickets"';
  const email = "ada&lt'b@example.com";
  const merchant = '</span><script>alert(2)</script>';
  const { checkoutUrl } = await checkout({ description, email }, merchant);
  const page = await openPage(t);
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

test.serial('every page loads only from its own origin and breaks no rule of its security policy', async (t) => {
  const asked = new Set<string>();
  const page = await openPage(t);
  const violations: string[] = [];
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  const { checkoutUrl } = await checkout();

  await page.goto(`${server().url}/checkout/nonsense`);
  const answer = await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');
  await page.getByRole('link', { name: 'Try again' }).click();
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.deepEqual([...asked], [server().url]);
  t.deepEqual(violations, []);
  t.regex(answer?.headers()['content-security-policy'] ?? '', /default-src 'none'.*script-src 'self'(;|$)/);
});
