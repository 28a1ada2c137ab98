import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { withPlainSpaces } from '../support/pages/checkout-languages.ts';
import {
  customers,
  focusedSummary,
  goodCard,
  merchantSite,
  pay,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { openLink, openProductLink, sendInvalidForm } from '../support/pages/open-link.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} enters an amount and an email, pays, and comes back to the shop`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    const callbackUrl = await merchantSite(t);
    const { client, link } = await openLink(page, server(), {
      minAmount: 50_000,
      suggestedAmount: 500_000,
      callbackUrl,
    });
    t.is(await page.title(), 'Spring fundraiser – Ada’s Books');
    t.is(await page.getByLabel('Amount in NGN').inputValue(), '5000');
    t.is(withPlainSpaces(await page.locator('#amount-hint').innerText()), 'At least ₦500.00');

    await page.getByLabel('Amount in NGN').fill('499');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await focusedSummary(page).waitFor();
    t.is(withPlainSpaces(await page.getByRole('alert').getByRole('link').innerText()), 'Enter at least ₦500.00');
    t.is(await page.getByLabel('Email').inputValue(), 'ada@example.com');
    await page.getByLabel('Amount in NGN').fill('750.50');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/checkout/*');
    t.is(withPlainSpaces(await page.locator('.amount').innerText()), '₦750.50');
    await pay(page, { number: goodCard });
    await waitForHeading(page, 'Back at the shop');

    const [payment] = (await client.payments.list({ paymentLinkId: link.id })).payments;
    t.like(payment, { amount: 75_050, status: 'completed', customerEmail: 'ada@example.com', description: link.name });
    t.like(await client.paymentLinks.get(link.id), { completedPayments: 1, completedAmount: 75_050 });
  });

  test.serial(`${customer} chooses how many of a product, and sees it on the page of the payment`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await openProductLink(page, server());
    t.is(withPlainSpaces(await page.locator('.amount').innerText()), '₦1,500.00');

    await page.getByLabel('Quantity').fill('3');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/checkout/*');

    t.is(withPlainSpaces(await page.locator('.amount').innerText()), '₦4,500.00');
    t.regex(withPlainSpaces(await page.locator('.line-items').innerText()), /Paperback atlas\s+3 × ₦1,500.00/);
  });
}

test.serial('a customer who leaves the payment page comes back to the link, and can begin again', async (t) => {
  const page = await openPage(t);
  const { client, link } = await openLink(page, server(), { amount: 500_000 });
  await page.getByLabel('Email').fill('adda@example.com');
  await page.getByRole('button', { name: 'Continue to payment' }).click();

  await page.getByRole('link', { name: 'Return to Ada’s Books without paying' }).click();
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('**/checkout/*');

  const { payments } = await client.payments.list({ paymentLinkId: link.id });
  t.deepEqual(
    payments.map(({ customerEmail }) => customerEmail),
    ['ada@example.com', 'adda@example.com'],
  );
});

test.serial('a double click begins one checkout', async (t) => {
  const page = await openPage(t);
  const { client } = await openLink(page, server(), { amount: 500_000 });
  await page.getByLabel('Email').fill('ada@example.com');

  await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
  await page.waitForURL('**/checkout/*');

  t.is((await client.payments.list()).total, 1);
});

const languages: [locale: string, dir: string, button: string, problem: string][] = [
  ['en-NG', 'ltr', 'Continue to payment', 'Enter at least ₦500.00'],
  ['fr-CI', 'ltr', 'Continuer vers le paiement', 'Saisissez au moins 500,00 ₦'],
  ['es-CO', 'ltr', 'Continuar al pago', 'Introduzca como mínimo'],
  ['pt-BR', 'ltr', 'Continuar para o pagamento', 'Digite no mínimo'],
  ['de-AT', 'ltr', 'Weiter zur Zahlung', 'Geben Sie mindestens'],
  ['ar-MA', 'rtl', 'المتابعة إلى الدفع', 'أدخل'],
];

for (const [locale, dir, button, problem] of languages) {
  test.serial(`the page speaks the language of the browser: ${locale}`, async (t) => {
    const page = await openPage(t, { locale });
    await openLink(page, server(), { minAmount: 50_000 });

    await page.locator('#amount').fill('4');
    await page.locator('#email').fill('ada@example.com');
    await page.getByRole('button', { name: button }).click();
    await focusedSummary(page).waitFor();

    t.is(await page.locator('html').getAttribute('dir'), dir);
    t.true(withPlainSpaces(await page.getByRole('alert').innerText()).includes(problem));
    const { scrollWidth, clientWidth } = await page
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    t.is(scrollWidth, clientWidth);
  });
}

test.serial('an empty form names each mistake once, beside its field', async (t) => {
  const page = await openPage(t);
  await openLink(page, server(), {});

  await sendInvalidForm(page);
  await focusedSummary(page).waitFor();

  const mistakes = ['Enter the amount', 'Enter your email address'];
  t.deepEqual(await page.getByRole('alert').getByRole('link').allInnerTexts(), mistakes);
  t.deepEqual(await page.locator('.field-error:visible').allInnerTexts(), mistakes);
  t.is(await page.locator('[aria-invalid=true]').count(), 2);
});
