import { readTypedAmount, typedAmount } from '@tillhook/server/src/pages/checkout/typed-amount.ts';
import test from 'ava';

type Row = [typed: string, currency: string, locale: string, expected: bigint | null];

const rows: Row[] = [
  ['500', 'NGN', 'en-NG', 50_000n],
  ['1,234.50', 'NGN', 'en-NG', 123_450n],
  ['1.234,50', 'EUR', 'de', 123_450n],
  ['1 234,5', 'EUR', 'fr', 123_450n],
  ['12,34,567.89', 'INR', 'en-IN', 123_456_789n],
  ['₦1,500', 'NGN', 'en-NG', 150_000n],
  ['25 EUR', 'EUR', 'de', 2500n],
  ['١٬٢٣٤٫٥', 'EGP', 'ar-EG', 123_450n],
  ['５００', 'JPY', 'en', 500n],
  ['1,500', 'JPY', 'en', 1500n],
  ['1.5', 'KWD', 'en', 1500n],
  ['1.500', 'KWD', 'en', 1500n],
  ['5,50', 'NGN', 'en-NG', 550n],
  ['0', 'NGN', 'en-NG', 0n],
  // Two readings: a thousand, or one with three decimals.
  ['1.234', 'USD', 'en', null],
  ['1,234', 'EUR', 'de', null],
  ['1.234', 'EUR', 'de', 123_400n],
  ['1.005', 'JPY', 'en', null],
  ['5.5', 'JPY', 'en', null],
  ['5.555', 'USD', 'fr', 555_500n],
  ['5.5555', 'USD', 'en', null],
  ['1,23,4', 'USD', 'en', null],
  ['1.2.3', 'USD', 'en', null],
  ['5.', 'USD', 'en', null],
  ['.5', 'USD', 'en', null],
  ['-5', 'USD', 'en', null],
  ['5e3', 'USD', 'en', null],
  ['0x10', 'USD', 'en', null],
  ['', 'USD', 'en', null],
  ['five', 'USD', 'en', null],
  ['9'.repeat(41), 'USD', 'en', null],
];

test('an amount is read in the way of the customer’s language, and a text with two readings is refused', (t) => {
  t.is(rows.length, 31);
  for (const [typed, currency, locale, expected] of rows) {
    t.is(readTypedAmount(typed, { currency, locale }), expected, `${typed} ${currency} ${locale}`);
  }
});

test('an amount that the page writes into its field is read as the same amount', (t) => {
  const locales = ['en-NG', 'de', 'fr', 'es', 'pt-BR', 'ar-EG'];
  for (const locale of locales) {
    for (const currency of ['NGN', 'JPY', 'KWD']) {
      for (const amount of [1n, 999n, 500_000n, 123_456n, 999_999_999_999n]) {
        const written = typedAmount(amount, { currency, locale });
        t.is(readTypedAmount(written, { currency, locale }), amount, `${written} ${currency} ${locale}`);
      }
    }
  }
  t.is(locales.length, 6);
});
