import { languages } from '@tillhook/dashboard/src/app/languages.ts';
import { type Catalogue, readCatalogue, readMessages, updatedCatalogue } from '@tillhook/dashboard/words/catalogue.ts';
import { marksOf } from '@tillhook/dashboard/words/parts.ts';
import type { Translation } from '@tillhook/dashboard/words/translate-source.ts';
import test from 'ava';

const others: string[] = languages.filter((language) => language !== 'en');

for (const language of others) {
  test(`${language} has exactly the texts of the dashboard: npm run words -w @tillhook/dashboard adds the missing ones`, (t) => {
    const catalogue = readCatalogue(language);
    const updated = updatedCatalogue(catalogue);

    t.deepEqual(catalogue, updated);
    t.deepEqual(Object.keys(catalogue.words), Object.keys(updated.words), 'the order is that of the sources');
    t.true(Object.keys(catalogue.words).length > 1_000);
  });

  test(`each text has a translation into ${language}, with the same values and elements`, (t) => {
    for (const [text, translation] of entriesOf(readCatalogue(language)))
      for (const form of formsOf(translation)) {
        t.not(form.trim(), '', text);
        t.deepEqual(new Set(marksOf(form)), new Set(marksOf(text)), text);
        t.is(form.startsWith(' '), text.startsWith(' '), `white space before: ${text}`);
        t.is(form.endsWith(' '), text.endsWith(' '), `white space after: ${text}`);
      }
  });

  test(`the plurals of ${language} have each form that the numbers of the language need`, (t) => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const plurals = entriesOf(readCatalogue(language)).filter(([text]) => text.includes(' | '));

    for (const [text, translation] of plurals)
      t.deepEqual(typeof translation === 'string' ? translation : Object.keys(translation).toSorted(), needed, text);
    t.true(plurals.length > 5);
  });
}

const wrongSpace = /[^\u00a0](?:[!?»](?=[\s”)]|$)|;(?=\s))|[^\u00a0\d]:(?=\s|$)|«(?!\u00a0)/u;

test('French has the spaces of its typography: no-break before : ; ! ? » and after «', (t) => {
  const wrong = entriesOf(readCatalogue('fr')).flatMap(([, translation]) =>
    formsOf(translation).filter((form) => wrongSpace.test(form.replaceAll(/<Code>.*?<\/Code>/g, ''))),
  );

  t.deepEqual(wrong, []);
});

test('the texts are those that people read', (t) => {
  const texts = new Set(readMessages().map(({ text }) => text));

  for (const text of ['Payments', 'Sign in to Tillhook', 'Can view, not change']) t.true(texts.has(text), text);
  t.deepEqual(
    [...texts].filter((text) => /=>|\$\{|^\W*$|^(GET|POST) |[a-z][A-Z]\w*\(/.test(text)),
    [],
  );
});

function entriesOf({ words, inFile }: Catalogue): [string, Translation][] {
  return [words, ...Object.values(inFile)].flatMap((each) => Object.entries(each));
}

function formsOf(translation: Translation): string[] {
  return typeof translation === 'string' ? [translation] : Object.values(translation);
}
