import type { CheckoutRequest } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import {
  customers,
  type FormLabels,
  fillIn,
  focusedSummary,
  goodCard,
  pay,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const checkout = (details?: Partial<CheckoutRequest>) => startCheckout(server(), details);

interface Sentences {
  /** What a page in the language says, and a locale that asks for it. */
  locale: string;
  dir: 'ltr' | 'rtl';
  labels: FormLabels;
  mistake: string;
  declined: string;
  why: string;
  paid: string;
  card: string;
}

const languages: Sentences[] = [
  {
    locale: 'en-NG',
    dir: 'ltr',
    labels: {
      cardNumber: 'Card number',
      expiry: 'Expiry date',
      cvc: 'Security code',
      cardName: 'Name on card',
      pay: /^Pay/,
    },
    mistake: 'This card has expired; check the date or use another card',
    declined: 'Payment declined',
    why: 'The card has insufficient funds. Nothing was charged.',
    paid: 'Payment successful',
    card: 'Visa ending in 4242',
  },
  {
    locale: 'fr-CI',
    dir: 'ltr',
    labels: {
      cardNumber: 'Numéro de carte',
      expiry: 'Date d’expiration',
      cvc: 'Code de sécurité',
      cardName: 'Nom sur la carte',
      pay: /^Payer/,
    },
    mistake: 'Cette carte a expiré ; vérifiez la date ou utilisez une autre carte',
    declined: 'Paiement refusé',
    why: 'La provision de la carte est insuffisante. Rien n’a été débité.',
    paid: 'Paiement réussi',
    card: 'Visa se terminant par 4242',
  },
  {
    locale: 'es-CO',
    dir: 'ltr',
    labels: {
      cardNumber: 'Número de tarjeta',
      expiry: 'Fecha de caducidad',
      cvc: 'Código de seguridad',
      cardName: 'Nombre en la tarjeta',
      pay: /^Pagar/,
    },
    mistake: 'Esta tarjeta ha caducado; revise la fecha o use otra tarjeta',
    declined: 'Pago rechazado',
    why: 'La tarjeta no tiene fondos suficientes. No se ha cobrado nada.',
    paid: 'Pago realizado',
    card: 'Visa terminada en 4242',
  },
  {
    locale: 'pt-BR',
    dir: 'ltr',
    labels: {
      cardNumber: 'Número do cartão',
      expiry: 'Validade',
      cvc: 'Código de segurança',
      cardName: 'Nome no cartão',
      pay: /^Pagar/,
    },
    mistake: 'Este cartão está vencido; verifique a validade ou use outro cartão',
    declined: 'Pagamento recusado',
    why: 'O cartão não tem saldo suficiente. Nada foi cobrado.',
    paid: 'Pagamento aprovado',
    card: 'Visa com final 4242',
  },
  {
    locale: 'de-AT',
    dir: 'ltr',
    labels: {
      cardNumber: 'Kartennummer',
      expiry: 'Ablaufdatum',
      cvc: 'Prüfnummer',
      cardName: 'Name auf der Karte',
      pay: /bezahlen$/,
    },
    mistake: 'Diese Karte ist abgelaufen; prüfen Sie das Datum oder verwenden Sie eine andere Karte',
    declined: 'Zahlung abgelehnt',
    why: 'Die Karte ist nicht ausreichend gedeckt. Es wurde nichts abgebucht.',
    paid: 'Zahlung erfolgreich',
    card: 'Visa mit den Endziffern 4242',
  },
  {
    locale: 'ar-MA',
    dir: 'rtl',
    labels: {
      cardNumber: 'رقم البطاقة',
      expiry: 'تاريخ الانتهاء',
      cvc: 'رمز الأمان',
      cardName: 'الاسم على البطاقة',
      pay: /^ادفع/,
    },
    mistake: 'انتهت صلاحية هذه البطاقة؛ تحقق من التاريخ أو استخدم بطاقة أخرى',
    declined: 'رُفضت عملية الدفع',
    why: 'رصيد البطاقة غير كافٍ. لم يُخصم أي مبلغ.',
    paid: 'تم الدفع بنجاح',
    card: 'Visa تنتهي بالأرقام 4242',
  },
];

for (const said of languages) {
  for (const [customer, javaScriptEnabled] of customers) {
    test.serial(`${customer} makes a mistake, is declined and pays in ${said.locale}, at 320 pixels`, async (t) => {
      const { locale, labels } = said;
      const { checkoutUrl, payment } = await checkout({ locale, callbackUrl: 'https://shop.example.com' });
      const page = await openPage(t, { javaScriptEnabled, viewport: { width: 320, height: 640 } });
      await page.route('https://shop.example.com/**', (route) => route.fulfill({ status: 204 }));

      await page.goto(checkoutUrl);
      await pay(page, { number: goodCard, expiry: '01 / 20' }, labels);
      await focusedSummary(page).waitFor();
      t.deepEqual((await page.getByRole('alert').getByRole('link').allTextContents()).map(withPlainSpaces), [
        said.mistake,
      ]);
      await isSound(t, page, said);

      await pay(page, { number: '4000 0000 0000 9995' }, labels);
      await waitForHeading(page, said.declined);
      t.is(withPlainSpaces(await page.locator('.lead').innerText()), said.why);
      await isSound(t, page, said);

      await page.locator('main a').filter({ visible: true }).first().click();
      await pay(page, { number: goodCard }, labels);
      await waitForHeading(page, said.paid);
      t.is(withPlainSpaces(await page.locator('.card-in-words').innerText()), said.card);
      await isSound(t, page, said);
      t.like(await payment(), { status: 'completed', attempts: 2, failureCode: null });
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

/** The page is marked as in its language, and nothing on it is wider than the screen. */
async function isSound(t: ExecutionContext, page: Page, { locale, dir }: Sentences): Promise<void> {
  const root = page.locator('html');
  t.is(await root.getAttribute('lang'), locale);
  t.is(await root.getAttribute('dir'), dir);
  const { scrollWidth, clientWidth } = await root.evaluate(({ scrollWidth, clientWidth }) => ({
    scrollWidth,
    clientWidth,
  }));
  t.is(scrollWidth, clientWidth);
}

/** French and amounts have spaces that do not break. */
function withPlainSpaces(text: string): string {
  return text
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .trim();
}
