/** Every language of the checkout, Arabic digits, and the choice among them. */
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import { browserForFile } from '../../support/browser/browser.ts';
import { languages, payInLanguage, type Sentences, withPlainSpaces } from '../../support/pages/checkout-languages.ts';
import { customers, fillIn, pay, startCheckout, waitForHeading } from '../../support/pages/checkout-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const checkout = (details?: Partial<CheckoutRequest>) => startCheckout(server(), details);

for (const said of languages) {
  for (const [customer, javaScriptEnabled] of customers) {
    test.serial(`${customer} makes a mistake, is declined and pays in ${said.locale}, at 320 pixels`, async (t) => {
      const page = await openPage(t, { javaScriptEnabled, viewport: { width: 320, height: 640 } });

      await payInLanguage(t, page, { server: server(), said });
    });
  }
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} with Arabic digits reads them everywhere, and types them`, async (t) => {
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
    await waitForHeading(page, arabic.declined);
    await page.getByText('بقيت لديك محاولتان.').waitFor();
    await page.locator('main a').filter({ visible: true }).first().click();
    await pay(page, { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '١٢ / ٤٠' }, labels);
    await waitForHeading(page, arabic.paid);

    t.regex(await page.locator('time').innerText(), /^[٠-٩]{1,2} /);
    t.like(await payment(), { status: 'completed', paymentMethod: { brand: 'visa', last4: '4242' } });
  });
}

test.serial('the minutes and seconds of the countdown have the digits of the locale, also from script', async (t) => {
  const { checkoutUrl, client } = await checkout({ locale: 'ar-EG-u-nu-arab' });
  await client.test.advanceTime({ seconds: 86_400 - 299 });
  const withoutScript = await openPage(t, { javaScriptEnabled: false });
  await withoutScript.goto(checkoutUrl);
  t.is(await withoutScript.locator('[data-countdown]').innerText(), '٥ دقائق');

  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await page.locator('[data-countdown]').filter({ hasText: ':' }).waitFor();
  t.regex(await page.locator('[data-countdown]').innerText(), /^[٠-٩]:[٠-٩]{2}$/);
});

test.serial('a page without a locale is in the language of the browser, with its amounts', async (t) => {
  const page = await openPage(t, { locale: 'pt-BR' });
  await page.goto((await checkout()).checkoutUrl);
  await waitForHeading(page, 'Pagar com cartão');

  t.is(withPlainSpaces(await page.locator('.amount').innerText()), '₦ 5.000,00');
});

test.serial('a locale of another language leaves the words to the browser, and keeps its amounts', async (t) => {
  const { checkoutUrl } = await checkout({ locale: 'sw-CD', currency: 'EUR' });
  const french = await openPage(t, { locale: 'fr-FR' });
  await french.goto(checkoutUrl);
  await waitForHeading(french, 'Payer par carte');
  t.is(await french.locator('html').getAttribute('lang'), 'fr-FR');
  t.is(await french.locator('.amount bdi').getAttribute('lang'), 'sw-CD');
  // People in Kinshasa write it with a point and a comma the other way round than in French.
  t.is(withPlainSpaces(await french.locator('.amount').innerText()), '€ 5.000,00');

  const japanese = await openPage(t, { locale: 'ja' });
  await japanese.goto(checkoutUrl);
  await waitForHeading(japanese, 'Pay with card');
});

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
