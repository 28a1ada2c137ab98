/** `npm run words -w @tillhook/dashboard`: writes the texts that have changed into the catalogues. */
import { languages } from '../src/app/languages.ts';
import { readCatalogue, updatedCatalogue, writeCatalogue } from './catalogue.ts';

for (const language of languages.filter((each) => each !== 'en')) {
  const catalogue = updatedCatalogue(readCatalogue(language));
  writeCatalogue(language, catalogue);
  const texts = Object.entries(catalogue.words);
  const missing = texts.filter(([, translation]) => translation === '').map(([text]) => `  ${text}`);
  process.stdout.write(
    `${[`${language}: ${texts.length} texts, ${missing.length} without a translation`, ...missing].join('\n')}\n`,
  );
}
