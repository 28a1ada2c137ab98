import { currencyDisplay, minorUnitDigits } from '@tillhook/openapi/rules/currencies';

interface MoneyStyle {
  locale?: string | null;
  /** `code`, such as NGN, for a terminal; `sign`, such as ₦, for a customer. */
  display?: 'code' | 'sign';
}

/** Formats an amount in the minor unit for people: 500000 NGN is `NGN 5,000.00`. */
export function moneyText(amount: number, currency: string, { locale, display = 'code' }: MoneyStyle = {}): string {
  const digits = minorUnitDigits(currency);
  const language = locale ?? 'en';
  // The number is text, because dividing a large amount would round it.
  const text = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: display === 'code' ? 'code' : currencyDisplay(currency, language),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(`${amount}e-${digits}` as `${number}`);
  // Pages keep the non-breaking space. In a terminal, people search for an ordinary one.
  return display === 'code' ? text.replaceAll('\u00a0', ' ') : text;
}
