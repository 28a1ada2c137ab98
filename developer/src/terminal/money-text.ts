import { currencyDisplay } from '@tillhook/openapi/currency-signs';
import { minorUnitDigits } from '@tillhook/openapi/minor-units';

interface MoneyStyle {
  locale?: string | null;
  /** The usual `code` is clear in a terminal, and a sign is what a customer reads. */
  display?: 'code' | 'sign';
}

/** Writes an amount in the minor unit, such as 500000 NGN, as people read it: `NGN 5,000.00`. */
export function moneyText(amount: number, currency: string, { locale, display = 'code' }: MoneyStyle = {}): string {
  const digits = minorUnitDigits(currency);
  const language = locale ?? 'en';
  // As a text, because a quotient of large amounts is not exact.
  const text = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: display === 'code' ? 'code' : currencyDisplay(currency, language),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(`${amount}e-${digits}` as `${number}`);
  // A space that does not break is for pages: a command's line is searched with an ordinary one.
  return display === 'code' ? text.replaceAll('\u00a0', ' ') : text;
}
