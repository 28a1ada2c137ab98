import { formatAmount as formatInDashboard } from '@tillhook/dashboard/src/kit/amount.ts';
import { currencyDisplay } from '@tillhook/openapi/rules/currencies';
import { shownAmount } from '@tillhook/server/src/cli/report.ts';
import { decimalAmount, formatAmount, isCurrency } from '@tillhook/server/src/kit/money.ts';
import test from 'ava';
import { moneyText } from '../../developer/src/terminal/money-text.ts';

test('an amount in minor units is formatted by its currency and locale', (t) => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');

  t.is(formatAmount(500_000, 'NGN', 'en-NG'), '₦5,000.00');
  t.is(formatAmount(500, 'JPY', 'en'), '¥500');
  t.is(plain(formatAmount(1234, 'KWD', 'en')), 'KWD 1.234');
  t.is(plain(formatAmount(1999, 'EUR', 'de')), '19,99 €');
  t.is(plain(formatAmount(500_000, 'PKR', 'en')), 'PKR 5,000.00');
  t.is(plain(formatAmount(1000, 'IQD', 'en')), 'IQD 1.000');
});

const shown: [currency: string, locale: string, text: string][] = [
  ['CAD', 'en', 'CA$540.00'],
  ['USD', 'en', '$540.00'],
  ['CAD', 'en-CA', '$540.00'],
  ['USD', 'en-CA', 'US$540.00'],
  ['AUD', 'en-AU', '$540.00'],
  ['USD', 'en-AU', 'USD 540.00'],
  ['ARS', 'es-AR', '$ 540,00'],
  ['USD', 'es-AR', 'US$ 540,00'],
  ['USD', 'es-MX', 'USD 540.00'],
  ['JPY', 'en', '¥54,000'],
  ['CNY', 'en', 'CN¥540.00'],
  ['SEK', 'en', 'SEK 540.00'],
  ['NOK', 'en', 'NOK 540.00'],
  ['DKK', 'de', '540,00 DKK'],
  ['NGN', 'en', '₦540.00'],
  ['EUR', 'fr', '540,00 €'],
];

for (const [currency, locale, text] of shown) {
  test(`a customer can see the currency of an amount: ${currency} in ${locale}`, (t) => {
    t.is(formatAmount(54_000, currency, locale).replaceAll(/\s/g, ' '), text);
  });
}

for (const locale of [
  'en',
  'fr',
  'de',
  'es',
  'pt',
  'ar',
  'en-US',
  'en-CA',
  'en-AU',
  'es-AR',
  'es-MX',
  'fr-CA',
  'ar-EG',
]) {
  test(`no two currencies are shown with the same symbol: ${locale}`, (t) => {
    const currencies = Intl.supportedValuesOf('currency');
    t.true(currencies.length > 150);

    // The texts are compared without digits, because the digits of currencies without decimals differ anyway.
    const texts = currencies.map((currency) => withoutDigits(formatAmount(54_000, currency, locale)));

    t.deepEqual(
      currencies.filter((_, index) => texts.indexOf(texts[index] ?? '') !== index),
      [],
    );
  });
}

const withoutDigits = (text: string) => text.replaceAll(/[\p{Nd}\p{P}\s\p{Cf}]/gu, '');

test('the mock writes an amount as the service does', (t) => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    for (const locale of ['en', 'es-AR', 'ar']) {
      t.is(moneyText(54_000, currency, { locale, display: 'sign' }), formatAmount(54_000, currency, locale));
    }
  }
});

test('the dashboard writes an amount as the service does', (t) => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    t.is(formatInDashboard(54_000, currency), formatAmount(54_000, currency, 'en-US'));
  }
});

test.serial(
  'the search for currencies that share a sign runs once for a locale, whatever extensions a customer adds to the locale',
  (t) => {
    const { supportedValuesOf } = Intl;
    t.teardown(() => Object.assign(Intl, { supportedValuesOf }));
    let searches = 0;
    Intl.supportedValuesOf = (key) => {
      searches += 1;
      return supportedValuesOf(key);
    };
    const added = ['', '-x-abc', '-x-abd', '-abcde', '-u-nu-deva', '-u-ca-roc'];

    const texts = added.map((end) => currencyDisplay('CAD', `en-NZ${end}`));

    t.deepEqual(texts, Array(added.length).fill('symbol'));
    t.is(searches, 1);
  },
);

test('the largest amounts are written to the last digit', (t) => {
  const amount = Number.MAX_SAFE_INTEGER - 98;
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');

  t.is(formatAmount(amount, 'NGN', 'en-NG'), '₦90,071,992,547,408.93');
  t.is(formatAmount(-amount, 'JPY', 'en'), '-¥9,007,199,254,740,893');
  t.is(plain(formatAmount(amount, 'KWD', 'en')), 'KWD 9,007,199,254,740.893');
  t.is(formatInDashboard(amount, 'USD'), '$90,071,992,547,408.93');
  t.is(moneyText(amount, 'NGN'), 'NGN 90,071,992,547,408.93');
  t.is(shownAmount({ amount, currency: 'NGN' }), 'NGN 90,071,992,547,408.93');
  t.is(decimalAmount(-(2n ** 60n), 'NGN'), '-11529215046068469.76');
});

test('the dashboard shows that an amount at the largest safe integer may be larger', (t) => {
  t.is(formatInDashboard(Number.MAX_SAFE_INTEGER, 'USD'), '$90,071,992,547,409.91 or more');
});

test('a currency is valid only as an ISO 4217 code in upper case', (t) => {
  t.true(isCurrency('NGN'));
  t.false(isCurrency('QQQ'));
  t.false(isCurrency('ngn'));
});
