import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  customers,
  declinedCard,
  expireCheckout,
  focusedSummary,
  goodCard,
  merchantSite,
  pay,
  payByPhone,
  startCheckout,
  waitForDecline,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();
const shownMethods = async (page: Page) =>
  (await page.getByRole('radio').evaluateAll((radios) => radios.map((radio) => radio.getAttribute('value')))).join();

const showDetails = (page: Page) => page.getByRole('button', { name: 'Show the account details' }).click();

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} pays by bank transfer, and the page shows the money when it comes`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    const { checkoutUrl, client, payment, reference } = await startCheckout(server());
    await page.goto(checkoutUrl);
    t.is(await shownMethods(page), 'card,bank_transfer');
    t.false(await page.getByRole('button', { name: 'Show the account details' }).isVisible());

    await choose(page, 'Bank transfer');
    t.false(await page.getByLabel('Card number').isVisible());
    await showDetails(page);

    await waitForHeading(page, 'Transfer ₦5,000.00');
    const details = await page.locator('.account').innerText();
    t.regex(details, /Account number\s+\d{10}\b/);
    t.regex(details, /Reference\s+TH-[0-9A-F]{8}\b/);
    t.like(await payment(), { status: 'pending' });
    await client.test.receiveBankTransfer(reference, { amount: 500_000 });
    // Without script, the page reloads itself only after half a minute.
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'Look again' }).click();
    await waitForHeading(page, 'Payment successful');
    t.true((await page.locator('main').innerText()).includes('Bank transfer'));
    t.like(await payment(), { status: 'completed', paymentMethod: { type: 'bank_transfer' } });
  });

  test.serial(`${customer} pays with mobile money after a confirmation on the phone`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'KES' });
    await page.goto(checkoutUrl);
    t.is(await shownMethods(page), 'card,bank_transfer,mobile_money');

    await choose(page, 'Mobile money');
    await payByPhone(page, { number: '0700 000 000' });

    await waitForHeading(page, 'Confirm on your phone');
    t.true((await page.locator('.lead').innerText()).includes('M-Pesa ending in 0000'));
    t.like(await payment(), { status: 'pending', attempts: 1 });
    await waitForHeading(page, 'Payment successful');
    t.like(await payment(), {
      status: 'completed',
      paymentMethod: { type: 'mobile_money', operator: 'mpesa', last4: '0000' },
    });
  });

  test.serial(`${customer} simulates too little money, and reads that the payment is checked`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    const { checkoutUrl, payment } = await startCheckout(server());
    await page.goto(checkoutUrl);
    await choose(page, 'Bank transfer');
    await showDetails(page);

    await page.getByRole('button', { name: 'Too little came' }).click();

    await waitForHeading(page, 'We are checking your payment');
    t.like(await payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
  });
}

test.serial('a customer whose money comes after the expiry is not asked to pay again', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, client, reference } = await startCheckout(server());
  await page.goto(checkoutUrl);
  await choose(page, 'Bank transfer');
  await showDetails(page);
  await waitForHeading(page, 'Transfer ₦5,000.00');
  await expireCheckout(client);
  await waitForHeading(page, 'This link has expired');

  await client.test.receiveBankTransfer(reference, { amount: 500_000 });

  await page.reload();
  await waitForHeading(page, 'We are checking your payment');
  t.regex(await page.locator('main').innerText(), /arrived after this payment had ended\.\s+Please do not pay again/);
});

test.serial('a developer simulates the money with one click, also twice', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { callbackUrl: await merchantSite(t) });
  await page.goto(checkoutUrl);
  await choose(page, 'Bank transfer');
  await showDetails(page);

  await page.getByRole('button', { name: 'The money came' }).dblclick();

  await waitForHeading(page, 'Payment successful');
  t.like(await payment(), { status: 'completed', reviewReason: null });
});

test.serial('a decline on the phone comes back to the form, where the customer pays by card', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'KES' });
  await page.goto(checkoutUrl);
  await choose(page, 'Mobile money');

  await payByPhone(page, { number: '+254 700 000 001' });

  await waitForDecline(page);
  const banner = await page.locator('#declined').innerText();
  t.true(banner.includes('The payment was declined on the phone.'), banner);
  t.true(banner.includes('You have 2 attempts left.'), banner);
  t.true(await page.getByRole('radio', { name: 'Mobile money' }).isChecked());
  t.is(await page.locator(':focus').getAttribute('aria-describedby'), 'declined phone-error');
  t.like(await payment(), { status: 'pending', attempts: 1, failureCode: 'mobile_money_declined' });
  await choose(page, 'Card');
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');
  t.like(await payment(), { status: 'completed', attempts: 2, paymentMethod: { type: 'card' } });
});

test.serial('a phone that does not answer is a decline, also if the customer has closed the page', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'KES' });
  await page.goto(checkoutUrl);
  await choose(page, 'Mobile money');
  await payByPhone(page, { number: '+254700000003' });
  await waitForHeading(page, 'Confirm on your phone');
  await page.goto('about:blank');
  await server().database.query(
    `update payment_attempt set started_at = started_at - interval '1 minute', next_check_at = now()
     where payment_id = (select id from payment where reference = $1)`,
    [(await payment()).reference],
  );

  await page.goto(checkoutUrl);

  await waitForDecline(page);
  t.like(await payment(), { status: 'pending', failureCode: 'mobile_money_timeout' });
});

test.serial('a customer who chose a bank transfer or the phone can choose another way', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'KES' });
  await page.goto(checkoutUrl);
  await choose(page, 'Bank transfer');
  await showDetails(page);

  await page.getByRole('link', { name: 'Choose another way to pay' }).click();
  await choose(page, 'Mobile money');
  await payByPhone(page, { number: '+254700000003' });
  await page.getByRole('link', { name: 'Choose another way to pay' }).click();

  await waitForHeading(page, 'Payment method');
  t.like(await payment(), { status: 'pending', attempts: 0, paymentMethod: null });
});

test.serial('mistakes in the phone form are named, and only test numbers are asked', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'KES' });
  await page.goto(checkoutUrl);
  await choose(page, 'Mobile money');
  const payButton = page.getByRole('button', { name: /^Pay / });

  await payButton.click();
  await focusedSummary(page).waitFor();
  t.is(await page.locator('#operator-error').innerText(), 'Choose the operator');
  t.is(await page.locator('#phone-error').innerText(), 'Enter the phone number');
  await payByPhone(page, { number: '4242424242424242' });
  await page.getByText('Check the phone number').first().waitFor();
  t.is(await page.getByLabel('Phone number').inputValue(), '');
  await payByPhone(page, { number: '+254 711 123 456' });
  await page.getByText('a real phone is never asked here').first().waitFor();
  t.is(await page.getByLabel('Phone number').inputValue(), '+254711123456');
  t.like(await payment(), { status: 'pending', attempts: 0 });
});

test.serial('a test number is filled in by its button', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await startCheckout(server(), { currency: 'UGX' });
  await page.goto(checkoutUrl);

  await page.getByText('Test phone numbers').click();
  await page.getByRole('button', { name: 'Use the number +256700000000: Confirms after a few seconds' }).click();
  await page.keyboard.press('Enter');

  await waitForHeading(page, 'Payment successful');
  t.like(await payment(), { paymentMethod: { type: 'mobile_money', operator: 'mtn' } });
});

test.serial('the buttons copy the account number, the exact amount and the reference', async (t) => {
  const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto((await startCheckout(server(), { amount: 123_456 })).checkoutUrl);
  await choose(page, 'Bank transfer');
  await showDetails(page);

  const copied: string[] = [];
  for (const what of ['Account number', 'Amount', 'Reference']) {
    await page.getByRole('button', { name: `Copy: ${what}` }).click();
    copied.push(
      await page.evaluate(
        () => (navigator as { clipboard?: { readText(): Promise<string> } }).clipboard?.readText() ?? '',
      ),
    );
  }

  t.regex(copied[0] ?? '', /^\d{10}$/);
  t.is(copied[1], '1234.56');
  t.regex(copied[2] ?? '', /^TH-[0-9A-F]{8}$/);
});

test.serial('the merchant restricts the methods, and with one method there is nothing to choose', async (t) => {
  const page = await openPage(t);
  const show = async (paymentMethods: ('card' | 'bank_transfer' | 'mobile_money')[], currency = 'KES') => {
    await page.goto((await startCheckout(server(), { paymentMethods, currency })).checkoutUrl);
    return shownMethods(page);
  };

  t.is(await show(['mobile_money', 'card']), 'card,mobile_money');
  t.is(await show(['card']), '');
  await waitForHeading(page, 'Pay with card');
  t.is(await show(['bank_transfer']), '');
  await waitForHeading(page, 'Bank transfer');
  t.is(await page.getByLabel('Card number').count(), 0);
  await showDetails(page);
  await waitForHeading(page, 'Transfer KES 5,000.00');
  t.is(await page.getByRole('link', { name: 'Choose another way to pay' }).count(), 0);
  await t.throwsAsync(show(['bank_transfer'], 'USD'), { message: /no payment method that is offered/ });
});

test.serial('a mistake that is corrected leaves the summary, and the last one removes it', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server())).checkoutUrl);
  await page.getByRole('button', { name: /^Pay / }).click();
  const summary = focusedSummary(page);
  await summary.waitFor();

  await page.getByLabel('Card number').fill(declinedCard);
  await page.getByLabel('Expiry date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  t.true(await page.locator('#error-summary').isVisible());
  await page.getByLabel('Name on card').fill('Ada');

  await eventually(
    () => page.locator('#error-summary').isVisible(),
    (isVisible) => !isVisible,
  );
  t.false((await page.title()).startsWith('Error'));
});
