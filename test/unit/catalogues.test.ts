import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { catalogues, type Language, type WordKey } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';
import test from 'ava';

const languages = Object.keys(catalogues) as Language[];
const keys = Object.keys(catalogues.en) as WordKey[];
const module = fileURLToPath(new URL('.', import.meta.resolve('@tillhook/server/src/pages/checkout/checkout.page.ts')));

test('there are catalogues in Arabic, German, English, Spanish, French and Portuguese', (t) => {
  t.deepEqual(languages.toSorted(), ['ar', 'de', 'en', 'es', 'fr', 'pt']);
});

for (const language of languages) {
  const catalogue: Record<string, string> = catalogues[language];

  test(`${language} has exactly the sentences of English, in the same order`, (t) => {
    t.deepEqual(Object.keys(catalogue), keys);
    t.true(keys.length > 100);
  });

  test(`the sentences of ${language} have the values and tags of the English sentences`, (t) => {
    for (const key of keys) t.deepEqual(partsOf(catalogue[key]), partsOf(catalogues.en[key]), key);
  });

  test(`the plurals of ${language} have each form that the numbers of the language need`, (t) => {
    const rules = new Intl.PluralRules(language);
    const needed = [...new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))].toSorted();
    const plurals = keys.flatMap((key) => pluralsOf(catalogue[key]).map((forms) => ({ key, forms })));

    for (const { key, forms } of plurals) t.deepEqual(forms, needed, key);
    t.true(plurals.length > 4);
  });

  test(`${language} has no straight apostrophe, which begins quoted text in ICU messages, and no empty sentence`, (t) => {
    t.deepEqual(
      keys.filter((key) => /'|^\s*$/.test(catalogue[key] ?? '')),
      [],
    );
  });
}

/** Names and signs that are the same in another language. */
const sameAsEnglish: Partial<Record<Language, WordKey[]>> = {
  fr: ['page.title', 'field.cvcHint'],
  es: ['page.title', 'form.errorTitle', 'field.cvcHint'],
  pt: ['page.title', 'field.cvcHint'],
  de: ['page.title', 'field.cvcHint'],
  ar: ['page.title', 'field.expiryHint', 'field.cvcHint'],
};

for (const [language, same] of Object.entries(sameAsEnglish)) {
  test(`in ${language}, no sentence is still in English`, (t) => {
    const catalogue: Record<string, string> = catalogues[language as Language];

    t.deepEqual(
      keys.filter((key) => catalogue[key] === catalogues.en[key]),
      same,
    );
  });
}

test('each sentence of the catalogues is used by a page', (t) => {
  const source = globSync('**/*.ts', { cwd: module })
    .map((file) => readFileSync(`${module}${file}`, 'utf8'))
    .join('\n');

  t.deepEqual(
    keys.filter((key) => !source.includes(`'${key}'`)),
    [],
  );
});

function partsOf(message = ''): string[] {
  const names = elementsOf(parse(message)).flatMap((element) =>
    'value' in element && element.type !== TYPE.literal ? [`${TYPE[element.type]} ${element.value}`] : [],
  );
  return [...new Set(names)].toSorted();
}

function pluralsOf(message = ''): string[][] {
  return elementsOf(parse(message)).flatMap((element) =>
    element.type === TYPE.plural ? [Object.keys(element.options).toSorted()] : [],
  );
}

function elementsOf(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => [element, ...elementsOf(partsIn(element))]);
}

function partsIn(element: MessageFormatElement): MessageFormatElement[] {
  if (element.type === TYPE.tag) return element.children;
  if (element.type !== TYPE.plural) return [];
  return Object.values(element.options).flatMap(({ value }) => value);
}
