/**
 * In this pseudo-language all letters have accents, and texts are 40 % longer. A word without accents on a page is
 * therefore missing in the catalogues. Customers cannot choose this language.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { catalogues } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';

/** Must be called before the first page is rendered. */
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

/** Most letters stay one character long, so that lengths stay comparable. */
function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => `${letter}\u0301`.normalize('NFC'));
}
