/**
 * A message is parsed when it is first used, once for all locales of its language.
 * See docs/decisions/checkout-page.md, "The sentences of the pages are ICU messages in one file per language".
 */
import { parse } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { type Fragment, type Html, html } from '../../../kit/html.ts';
import { remember } from '../../../kit/remember.ts';
import { catalogues, type Language, type WordKey } from './catalogues.ts';

/**
 * The values of a message: text or markup for `{name}`, a number for a plural, and a function for `<name>…</name>`.
 */
type Values = Record<string, string | number>;
type MarkupValues = Record<string, string | number | Html | ((content: Html) => Html)>;

export interface Words {
  language: Language;
  /** A language tag such as `en-NG`, which decides the format of numbers in sentences. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** Returns a sentence without markup, for titles and attributes. */
  text(key: WordKey, values?: Values): string;
  /** Returns a sentence as HTML: the text is escaped, and each tag is replaced by the result of its function. */
  html(key: WordKey, values: MarkupValues): Html;
}

const rightToLeft: ReadonlySet<Language> = new Set(['ar']);

export const wordsIn = remember((locale) => createWords(new Intl.Locale(locale).language as Language, locale), 200);

function createWords(language: Language, locale: string): Words {
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

const syntaxOf = remember((languageAndKey) => {
  const [language, key] = languageAndKey.split(' ') as [Language, WordKey];
  return parse(catalogues[language][key]);
});

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
