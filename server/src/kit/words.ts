/**
 * Sentences for customers, in the languages that have a catalogue. A message is parsed when it is first used, once for
 * all locales of its language.
 * See docs/decisions/checkout-page.md, "The sentences of the pages are ICU messages in one file per language".
 */
import { parse } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { type Fragment, type Html, html } from './html.ts';
import { supportedLocales } from './locale.ts';
import { remember } from './remember.ts';

/** A catalogue for each language, and one for English. */
type Catalogues<Key extends string> = Readonly<Record<string, Record<Key, string>> & Record<'en', unknown>>;

/**
 * The values of a message: text or markup for `{name}`, a number for a plural, and a function for `<name>…</name>`.
 */
type Values = Record<string, string | number>;
type MarkupValues = Record<string, string | number | Html | ((content: Html) => Html)>;

export interface Words<Key extends string> {
  language: string;
  /** A language tag such as `en-NG`, which decides the format of numbers in sentences. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** Returns a sentence without markup, for titles and attributes. */
  text(key: Key, values?: Values): string;
  /** Returns a sentence as HTML: the text is escaped, and each tag is replaced by the result of its function. */
  html(key: Key, values: MarkupValues): Html;
}

interface Chosen<Key extends string> {
  words: Words<Key>;
  locale: string;
}

interface Speaker<Key extends string> {
  /**
   * Chooses the language of the payment's locale, else the first of the browser's languages that has a catalogue, else
   * English. Amounts and dates use the payment's locale, or the language of the words if the payment has none.
   * See docs/decisions/checkout-page.md, "The payment's locale chooses the language, then the browser".
   */
  chooseWords(paymentLocale: string | null | undefined, accepted: readonly string[]): Chosen<Key>;
  wordsFor(wanted: readonly string[]): Words<Key>;
}

/** The maximum number of languages that are read. Browsers send few, but a header has room for thousands. */
const maxLanguages = 20;

const rightToLeft: ReadonlySet<string> = new Set(['ar']);

export function speakerOf<Key extends string>(catalogues: Catalogues<Key>): Speaker<Key> {
  const syntaxOf = remember((languageAndKey) => {
    const [language = '', key] = languageAndKey.split(' ') as [string, Key];
    return parse(catalogues[language]?.[key] ?? '');
  });
  const wordsIn = remember((locale) => createWords<Key>(locale, syntaxOf), 200);

  const wordsFor = (wanted: readonly string[]) => {
    const known = supportedLocales(wanted.slice(0, maxLanguages)).find((locale) =>
      Object.hasOwn(catalogues, new Intl.Locale(locale).language),
    );
    return wordsIn(known ?? 'en');
  };

  return {
    wordsFor,
    chooseWords(paymentLocale, accepted) {
      const [own] = supportedLocales([paymentLocale]);
      const words = wordsFor(own === undefined ? accepted : [own, ...accepted]);
      return { words, locale: own ?? words.locale };
    },
  };
}

function createWords<Key extends string>(
  locale: string,
  syntaxOf: (languageAndKey: string) => ReturnType<typeof parse>,
): Words<Key> {
  const { language } = new Intl.Locale(locale);
  const messageOf = remember((key) => new IntlMessageFormat(syntaxOf(`${language} ${key}`), locale));
  /** Most sentences have no values, so they are formatted only once. */
  const fixed = remember((key) => String(messageOf(key).format()));
  return {
    language,
    locale,
    direction: rightToLeft.has(language) ? 'rtl' : 'ltr',
    text: (key, values) => (values ? String(messageOf(key).format(values)) : fixed(key)),
    html: (key, values) => html`${messageOf(key).format<Html>(withEscapedTags(values)) as Fragment}`,
  };
}

/**
 * `intl-messageformat` passes the content of a tag to its function as a list of strings and markup. `html` escapes
 * the strings.
 */
function withEscapedTags(values: MarkupValues) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (content: readonly (string | Html)[]) => value(html`${content}`) : value,
    ]),
  );
}
