/** Chooses the language of a page, and the locale of its amounts and dates. */
import { supportedLocales } from '../../../kit/locale.ts';
import { catalogues } from './catalogues.ts';
import { type Words, wordsIn } from './words.ts';

/**
 * The maximum number of languages that are read. A browser sends a few, but a header has room for thousands, and each
 * one takes time.
 */
const maxLanguages = 20;

interface Chosen {
  words: Words;
  /** The locale of amounts and dates. */
  locale: string;
}

/**
 * Words are in the language of the payment's locale. If that has no catalogue, they are in the first language of the
 * browser that has one, else in English. Amounts and dates follow the payment's locale, or the words if it has none.
 * See docs/decisions/checkout-page.md, "The payment's locale chooses the language, then the browser".
 */
export function chooseWords(paymentLocale: string | null | undefined, accepted: readonly string[]): Chosen {
  const [own] = supportedLocales([paymentLocale]);
  const words = wordsFor(own === undefined ? accepted : [own, ...accepted]);
  return { words, locale: own ?? words.locale };
}

/** Returns the words of the first of these language tags whose language has a catalogue, or the English words. */
export function wordsFor(wanted: readonly string[]): Words {
  for (const locale of supportedLocales(wanted.slice(0, maxLanguages))) {
    const { language } = new Intl.Locale(locale);
    if (Object.hasOwn(catalogues, language)) return wordsIn(locale);
  }
  return wordsIn('en');
}
