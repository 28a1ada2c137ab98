/** The languages of the dashboard's words. English is in the sources; each other language has a file in `words/`. */
export const languages = ['en', 'fr'] as const;

export type Language = (typeof languages)[number];

/** The language of these pages. `inLanguage` in `words/plugin.ts` writes another one here. */
export const pageLanguage = 'en' as Language;

/** Returns English for a language without a file. */
export function wordsFor(tag: string): Language {
  const [wanted] = tag.toLowerCase().split('-');
  return languages.find((language) => language === wanted) ?? 'en';
}
