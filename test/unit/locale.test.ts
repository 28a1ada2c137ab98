import { chooseWords, wordsFor } from '@tillhook/server/src/checkout-page/words/choose-words.ts';
import { supportedLocales } from '@tillhook/server/src/kit/locale.ts';
import test from 'ava';

const unknown = (count: number) => Array.from({ length: count }, (_, index) => `qq-${index}`);

test('only well-formed tags of languages that are supported remain, in their canonical form', (t) => {
  t.deepEqual(supportedLocales([null, undefined, '', '*', 'not a language', 'qq', 'DE-at', 'ar-eg-u-nu-arab']), [
    'de-AT',
    'ar-EG-u-nu-arab',
  ]);
});

test('words are in the first language that has a catalogue, in English otherwise', (t) => {
  t.is(wordsFor(['*', 'qq', 'ja', 'en-NG']).locale, 'en-NG');
  t.is(wordsFor(['ja']).locale, 'en');
  t.is(wordsFor([]).locale, 'en');
});

test('amounts follow the locale of the payment, otherwise the words', (t) => {
  t.is(chooseWords('sw-KE', ['en-GB']).locale, 'sw-KE');
  t.is(chooseWords('sw-KE', ['en-GB']).words.locale, 'en-GB');
  t.is(chooseWords('en-NG', ['en-GB']).words.locale, 'en-NG');
  t.is(chooseWords(null, ['ja', 'en-GB']).locale, 'en-GB');
});

test('only the first languages of a long list are looked up', (t) => {
  t.is(wordsFor([...unknown(19), 'en-NG']).locale, 'en-NG');
  t.is(wordsFor([...unknown(20), 'en-NG']).locale, 'en');
});
