import { pageLanguage } from '../app/languages.ts';

type Forms = Record<'one' | 'other', string> & Partial<Record<Intl.LDMLPluralRule, string>>;

let rules: Intl.PluralRules | undefined;

/** English has two forms; the catalogue of another language has those that the language needs. */
export function plural(count: number, forms: Forms): string {
  rules ??= new Intl.PluralRules(pageLanguage);
  return forms[rules.select(count)] ?? forms.other;
}
