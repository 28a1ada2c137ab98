import type { DisplayLanguage } from '@tillhook/sdk/session';
import { languages, pageLanguage } from '../app/languages.ts';

type Tag = NonNullable<DisplayLanguage>;

/** The keys are those of the contract, because the compiler reports a missing one. */
const tags: Record<Tag, true> = {
  ...{ 'ar-EG': true, 'de-DE': true, 'en-AU': true, 'en-CA': true, 'en-GB': true, 'en-IN': true, 'en-NG': true },
  ...{ 'en-US': true, 'en-ZA': true, 'es-ES': true, 'es-MX': true, 'fr-FR': true, 'hi-IN': true, 'it-IT': true },
  ...{ 'ja-JP': true, 'ko-KR': true, 'nl-NL': true, 'pl-PL': true, 'pt-BR': true, 'pt-PT': true, 'sv-SE': true },
  ...{ 'tr-TR': true, 'zh-CN': true },
};

export const languageName = (tag: string) => languageNames().of(tag) ?? tag;

const languageNames = () => new Intl.DisplayNames(pageLanguage, { type: 'language', languageDisplay: 'standard' });

/** The languages of the dashboard come first; in the others, only dates and numbers are written. */
export function languageGroups() {
  const names = languageNames();
  const options = Object.keys(tags)
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, pageLanguage));
  const hasWords = ({ value }: { value: string }) => languages.some((language) => value.startsWith(`${language}-`));
  return [
    { group: 'Whole dashboard', items: options.filter(hasWords) },
    { group: 'Dates and numbers only', items: options.filter((option) => !hasWords(option)) },
  ];
}
