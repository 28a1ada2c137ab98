import { currencyDisplay, minorUnitDigits } from '@tillhook/openapi/rules/currencies';

interface MoneyStyle {
  locale?: string | null;
  /** `code` shows NGN, for a terminal; `sign` shows ₦, for a customer. */
  display?: 'code' | 'sign';
}

/** Formats an amount, which is in the minor unit: 500000 NGN is `NGN 5,000.00`. */
export function moneyText(amount: number, currency: string, { locale, display = 'code' }: MoneyStyle = {}): string {
  const digits = minorUnitDigits(currency);
  const language = locale ?? 'en';
  // The amount is passed as text, because dividing a large number would round it.
  const text = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: display === 'code' ? 'code' : currencyDisplay(currency, language),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(`${amount}e-${digits}` as `${number}`);
  // People who search in a terminal type an ordinary space, not a non-breaking space.
  return display === 'code' ? text.replaceAll('\u00a0', ' ') : text;
}
