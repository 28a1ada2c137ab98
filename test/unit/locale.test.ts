import { pickLocale } from '@tillhook/server/src/kit/locale.ts';
import test from 'ava';

const unknown = (count: number) => Array.from({ length: count }, (_, index) => `qq-${index}`);

test('the first language that is known is taken', (t) => {
  t.is(pickLocale([null, 'not a language', 'qq', 'de', 'fr']), 'de');
  t.is(pickLocale([]), 'en');
});

test('a list of thousands is not looked through', (t) => {
  t.is(pickLocale([...unknown(19), 'de']), 'de');
  t.is(pickLocale([...unknown(5000), 'de']), 'en');
});
