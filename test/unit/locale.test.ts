import { pickLocale } from '@tillhook/server/src/kit/locale.ts';
import test from 'ava';

const unknown = (count: number) => Array.from({ length: count }, (_, index) => `qq-${index}`);

test('the first supported language is used', (t) => {
  t.is(pickLocale([null, 'not a language', 'qq', 'de', 'fr']), 'de');
  t.is(pickLocale([]), 'en');
});

test('only the first languages of a long list are looked up', (t) => {
  t.is(pickLocale([...unknown(19), 'de']), 'de');
  t.is(pickLocale([...unknown(5000), 'de']), 'en');
});
