/**
 * Replaces the English sentences of this process by ones that no language has: accented letters, and 40 % more of them.
 * On a page, a word without accents is then one that is in no catalogue. Customers cannot choose it.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { catalogues } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';

/** Must run before the first page is rendered. */
export function speakPseudoLanguage(): void {
  for (const [key, message] of Object.entries(catalogues.en)) {
    Object.assign(catalogues.en, { [key]: printAST(parse(message).map(changed)) });
  }
}

function changed(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) return { ...element, value: longer(element.value) };
  if (element.type === TYPE.tag) return { ...element, children: element.children.map(changed) };
  if (element.type !== TYPE.plural) return element;
  const options = Object.entries(element.options).map(([form, { value }]) => [form, { value: value.map(changed) }]);
  return { ...element, options: Object.fromEntries(options) };
}

function longer(text: string): string {
  const letters = [...text].filter((character) => /\p{L}/u.test(character)).length;
  return accented(text) + 'ñôẅ ñôñ '.repeat(8).slice(0, Math.ceil(letters * 0.4));
}

/** The accents below and above stay one character with most letters, so lengths stay comparable. */
function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => `${letter}\u0301`.normalize('NFC'));
}
