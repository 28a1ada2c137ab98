import { supportedLocales } from '@tillhook/server/src/kit/locale.ts';
import { chooseWords, wordsFor } from '@tillhook/server/src/pages/checkout/words/words.ts';
import test from 'ava';

const unknown = (count: number) => Array.from({ length: count }, (_, index) => `qq-${index}`);

test('of the given language tags, only well-formed tags of supported languages remain, in their canonical form', (t) => {
  t.deepEqual(supportedLocales([null, undefined, '', '*', 'not a language', 'qq', 'DE-at', 'ar-eg-u-nu-arab']), [
    'de-AT',
    'ar-EG-u-nu-arab',
  ]);
});

test('texts are in the first given language that has a catalogue, and in English if no given language has a catalogue', (t) => {
  t.like(wordsFor(['*', 'qq', 'ja', 'de-AT', 'fr']), { language: 'de', locale: 'de-AT', direction: 'ltr' });
  t.like(wordsFor(['ar-MA']), { language: 'ar', locale: 'ar-MA', direction: 'rtl' });
  t.like(wordsFor(['ja']), { language: 'en', locale: 'en' });
  t.like(wordsFor([]), { language: 'en', locale: 'en' });
});

test('the locale of the payment has precedence over the browser, and amounts follow it even if the texts are in another language', (t) => {
  const chosen = (own: string | null, ...accepted: string[]) => {
    const { words, locale } = chooseWords(own, accepted);
    return [words.locale, locale];
  };

  t.deepEqual(chosen('en-NG', 'fr'), ['en-NG', 'en-NG']);
  t.deepEqual(chosen('sw-KE', 'fr-CI', 'en'), ['fr-CI', 'sw-KE']);
  t.deepEqual(chosen('sw-KE'), ['en', 'sw-KE']);
  t.deepEqual(chosen(null, 'ja', 'pt-BR'), ['pt-BR', 'pt-BR']);
  t.deepEqual(chosen('not a language', 'es'), ['es', 'es']);
});

test('only the first languages of a long list of languages are looked up', (t) => {
  t.is(wordsFor([...unknown(19), 'de']).locale, 'de');
  t.is(wordsFor([...unknown(20), 'de']).locale, 'en');
});

test('the texts of a page stay right after more locales than the cache keeps', (t) => {
  for (let region = 0; region < 300; region += 1) wordsFor([`fr-u-nu-latn-x-${region}`]);

  t.is(wordsFor(['fr']).text('form.heading'), 'Payer par carte');
});
