import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { catalogues as mailCatalogues } from '@tillhook/server/src/money/mails/words/words.ts';
import { catalogues as pageCatalogues } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';
import test from 'ava';

interface Suite {
  catalogues: Readonly<Record<string, Readonly<Record<string, string>>>>;
  folder: string;
  minSentences: number;
  minPlurals: number;
  /** Names and signs that are the same in another language. */
  sameAsEnglish: Readonly<Record<string, readonly string[]>>;
}

const folderOf = (file: string) => fileURLToPath(new URL('.', import.meta.resolve(`@tillhook/server/src/${file}`)));

const suites: Record<string, Suite> = {
  pages: {
    catalogues: pageCatalogues,
    folder: folderOf('pages/checkout/checkout.page.ts'),
    minSentences: 101,
    minPlurals: 5,
    sameAsEnglish: {
      fr: ['page.title', 'field.cvcHint'],
      es: ['page.title', 'form.errorTitle', 'field.cvcHint'],
      pt: ['page.title', 'field.cvcHint'],
      de: ['page.title', 'field.cvcHint'],
      ar: ['page.title', 'field.expiryHint', 'field.cvcHint'],
    },
  },
  mails: {
    catalogues: mailCatalogues,
    folder: folderOf('money/mails/receipt-mail.ts'),
    minSentences: 30,
    minPlurals: 1,
    sameAsEnglish: { fr: ['detail.total'], es: ['detail.total'], pt: ['detail.total'], de: [], ar: [] },
  },
};

for (const [name, { catalogues, folder, minSentences, minPlurals, sameAsEnglish }] of Object.entries(suites)) {
  const { en = {} } = catalogues;
  const keys = Object.keys(en);

  test(`${name}: there are catalogues in Arabic, German, English, Spanish, French and Portuguese`, (t) => {
    t.deepEqual(Object.keys(catalogues).toSorted(), ['ar', 'de', 'en', 'es', 'fr', 'pt']);
  });

  for (const [language, catalogue] of Object.entries(catalogues)) {
    test(`${name}: ${language} has exactly the sentences of English, in the same order`, (t) => {
      t.deepEqual(Object.keys(catalogue), keys);
      t.true(keys.length >= minSentences);
    });

    test(`${name}: the sentences of ${language} have the values and tags of the English sentences`, (t) => {
      for (const key of keys) t.deepEqual(partsOf(catalogue[key]), partsOf(en[key]), key);
    });

    test(`${name}: the plurals of ${language} have each form that the numbers of the language need`, (t) => {
      const rules = new Intl.PluralRules(language);
      const needed = [...new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))].toSorted();
      const plurals = keys.flatMap((key) => pluralsOf(catalogue[key]).map((forms) => ({ key, forms })));

      for (const { key, forms } of plurals) t.deepEqual(forms, needed, key);
      t.true(plurals.length >= minPlurals);
    });

    test(`${name}: ${language} has no straight apostrophe, which begins quoted text in ICU messages, and no empty sentence`, (t) => {
      t.deepEqual(
        keys.filter((key) => /'|^\s*$/.test(catalogue[key] ?? '')),
        [],
      );
    });
  }

  for (const [language, same] of Object.entries(sameAsEnglish)) {
    test(`${name}: in ${language}, no sentence is still in English`, (t) => {
      t.deepEqual(
        keys.filter((key) => catalogues[language]?.[key] === en[key]),
        same,
      );
    });
  }

  test(`${name}: each sentence of the catalogues is used`, (t) => {
    const source = globSync('**/*.ts', { cwd: folder })
      .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
      .join('\n');

    t.deepEqual(
      keys.filter((key) => !source.includes(`'${key}'`)),
      [],
    );
  });
}

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
