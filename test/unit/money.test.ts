import { formatAmount, isCurrency } from '@tillhook/server/src/kit/money.ts';
import test from 'ava';

test('an amount in minor units is formatted by its currency and locale', (t) => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');

  t.is(formatAmount(500_000, 'NGN', 'en-NG'), '₦5,000.00');
  t.is(formatAmount(500, 'JPY', 'en'), '¥500');
  t.is(plain(formatAmount(1234, 'KWD', 'en')), 'KWD 1.234');
  t.is(plain(formatAmount(1999, 'EUR', 'de')), '19,99 €');
  t.is(plain(formatAmount(500_000, 'PKR', 'en')), 'Rs 5,000.00');
  t.is(plain(formatAmount(1000, 'IQD', 'en')), 'IQD 1.000');
});

test('a currency is valid only as a code of ISO 4217 in capitals', (t) => {
  t.true(isCurrency('NGN'));
  t.false(isCurrency('QQQ'));
  t.false(isCurrency('ngn'));
});
