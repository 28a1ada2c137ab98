import { supportedLocales } from '../../../kit/locale.ts';
import { catalogues } from './catalogues.ts';
import { type Words, wordsIn } from './words.ts';

/** The maximum number of languages that are read. Browsers send few, but a header has room for thousands. */
const maxLanguages = 20;

interface Chosen {
  words: Words;
  locale: string;
}

/**
 * Chooses the language of the payment's locale, else the first of the browser's languages that has a catalogue, else
 * English. Amounts and dates use the payment's locale, or the page's language if the payment has none.
 * See docs/decisions/checkout-page.md, "The payment's locale chooses the language, then the browser".
 */
export function chooseWords(paymentLocale: string | null | undefined, accepted: readonly string[]): Chosen {
  const [own] = supportedLocales([paymentLocale]);
  const words = wordsFor(own === undefined ? accepted : [own, ...accepted]);
  return { words, locale: own ?? words.locale };
}

export function wordsFor(wanted: readonly string[]): Words {
  for (const locale of supportedLocales(wanted.slice(0, maxLanguages))) {
    const { language } = new Intl.Locale(locale);
    if (Object.hasOwn(catalogues, language)) return wordsIn(locale);
  }
  return wordsIn('en');
}
