/**
 * Reads an amount as customers of all languages type it: `1,234.50`, `1.234,50`, `1 234,50` or `₦1234`. The page that
 * follows shows the amount before it is paid, but a text with two readings is refused all the same.
 */
import { decimalsOf } from '../../kit/money.ts';
import { inAsciiDigits } from './digits.ts';

interface Format {
  currency: string;
  locale: string;
}

const maxLength = 40;

/** Returns the amount in minor units, or null for a text that is no amount. */
export function readTypedAmount(typed: string, { currency, locale }: Format): bigint | null {
  if (typed.length > maxLength) return null;
  const text = withAsciiMarks(inAsciiDigits(typed))
    .replace(/[\s_'’]/g, '')
    .replace(/^[\p{Sc}\p{L}]+|[\p{Sc}\p{L}]+$/gu, '');
  if (!/^\d[\d.,]*$/.test(text)) return null;
  const decimals = decimalsOf(currency);
  const { whole, fraction } = splitAt(text, decimalMarkOf(text, { decimals, locale }));
  if (fraction !== null && (fraction === '' || fraction.length > decimals)) return null;
  if (!isWhole(whole)) return null;
  return BigInt(whole.replace(/\D/g, '') + (fraction ?? '').padEnd(decimals, '0'));
}

/** The Arabic marks for decimals and for thousands have one meaning each. */
function withAsciiMarks(text: string): string {
  return text.replaceAll('\u066b', '.').replaceAll('\u066c', ',');
}

/** Returns the position of the decimal mark, or -1 when the text has none. */
function decimalMarkOf(text: string, { decimals, locale }: { decimals: number; locale: string }): number {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const mark = text.charAt(last);
  if (last < 0 || text.indexOf(mark) !== last) return -1;
  const hasOtherMark = /[.,]/.test(text.slice(0, last));
  const looksLikeThousands = text.length - last - 1 === 3;
  if (hasOtherMark || !looksLikeThousands) return last;
  // Three digits after the mark: thousands, unless the language writes decimals with this mark. Then only a currency
  // with three decimals can be meant, and for any other currency the text has too many decimals.
  return mark === decimalMarkIn(locale) || decimals === 3 ? last : -1;
}

function decimalMarkIn(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return withAsciiMarks(parts.find(({ type }) => type === 'decimal')?.value ?? '.');
}

function splitAt(text: string, mark: number): { whole: string; fraction: string | null } {
  return mark < 0 ? { whole: text, fraction: null } : { whole: text.slice(0, mark), fraction: text.slice(mark + 1) };
}

/** Digits alone, or groups with the same mark: the last group has three digits, and groups before it two or three. */
function isWhole(text: string): boolean {
  return /^\d+$/.test(text) || /^\d{1,3}(?:,\d{2,3})*,\d{3}$|^\d{1,3}(?:\.\d{2,3})*\.\d{3}$/.test(text);
}

/** Formats an amount for an input field: without a currency sign, and without decimals if they are zero. */
export function typedAmount(amount: bigint, { currency, locale }: Format): string {
  const decimals = decimalsOf(currency);
  const isRound = amount % 10n ** BigInt(decimals) === 0n;
  const format = new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: isRound ? 0 : decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(`${amount}e-${decimals}` as `${number}`);
}
