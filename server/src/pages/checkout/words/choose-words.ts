/** Chooses the language of a page, and the locale for its amounts and dates. */
import { supportedLocales } from '../../../kit/locale.ts';
import { catalogues } from './catalogues.ts';
import { type Words, wordsIn } from './words.ts';

/**
 * The maximum number of languages that are read. Browsers send only a few, but a header has room for thousands, and
 * each language takes processor time.
 */
const maxLanguages = 20;

interface Chosen {
  words: Words;
  /** The locale for amounts and dates. */
  locale: string;
}

/**
 * Chooses the language of the payment's locale. If that language has no catalogue, chooses the first of the browser's
 * languages that has a catalogue, or else English. Amounts and dates use the payment's locale, or the page's language
 * if the payment has none.
 * See docs/decisions/checkout-page.md, "The payment's locale chooses the language, then the browser".
 */
export function chooseWords(paymentLocale: string | null | undefined, accepted: readonly string[]): Chosen {
  const [own] = supportedLocales([paymentLocale]);
  const words = wordsFor(own === undefined ? accepted : [own, ...accepted]);
  return { words, locale: own ?? words.locale };
}

/**
 * Returns the words for the first of these language tags whose language has a catalogue, or else the English words.
 */
export function wordsFor(wanted: readonly string[]): Words {
  for (const locale of supportedLocales(wanted.slice(0, maxLanguages))) {
    const { language } = new Intl.Locale(locale);
    if (Object.hasOwn(catalogues, language)) return wordsIn(locale);
  }
  return wordsIn('en');
}
