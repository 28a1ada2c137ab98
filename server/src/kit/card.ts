/**
 * Cards, and the rules for the numbers of each brand. The server reads these rules, and the browser gets them as
 * attributes of the markup.
 */
import { remember } from './remember.ts';

/** The stored data of the card of a payment. */
export interface Card {
  brand: 'visa' | 'mastercard' | 'amex' | 'unknown';
  last4: string;
}

/** The reason why a card was not charged. */
export interface Decline {
  code: string;
  message: string;
}

export interface BrandRules {
  /** The first digits of the brand's numbers. */
  starts: RegExp;
  /**
   * The sizes of the groups in which the digits are printed on the card. The sum of the sizes is the length of the
   * number.
   */
  groups: readonly number[];
  /** The number of digits of the security code. */
  codeLength: number;
}

const fours = [4, 4, 4, 4];

/** The numbers of Mastercard begin with 51 to 55, and newer numbers with 2221 to 2720. */
export const cardBrands = {
  visa: { starts: /^4/, groups: fours, codeLength: 3 },
  mastercard: { starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, groups: fours, codeLength: 3 },
  amex: { starts: /^3[47]/, groups: [4, 6, 5], codeLength: 4 },
} satisfies Record<Exclude<Card['brand'], 'unknown'>, BrandRules>;

/** The groups of a number of an unknown brand. The longest number has 19 digits. */
export const unknownGroups = [...fours, 3];

export function brandOf(number: string): Card['brand'] {
  const brand = knownBrands.find((known) => cardBrands[known].starts.test(number));
  return brand ?? 'unknown';
}

/** Returns the rules of the number's brand; null when the brand is unknown. */
export function brandRules(number: string): BrandRules | null {
  const brand = brandOf(number);
  return brand === 'unknown' ? null : cardBrands[brand];
}

/** Returns the number as it is printed on the card: `4242 4242 4242 4242`, or `3782 822463 10005`. */
export function groupedNumber(number: string): string {
  const groups = brandRules(number)?.groups ?? unknownGroups;
  const [, ...parts] = groupPattern(groups.join()).exec(number) ?? [];
  return parts.filter((part) => part !== '').join(' ');
}

/** Makes a pattern from the sizes of the groups, such as `4,6,5`. */
const groupPattern = remember((sizes) => {
  const groups = sizes.split(',').map((size) => `(\\d{0,${size}})`);
  return new RegExp(`^${groups.join('')}`);
});

const knownBrands = ['visa', 'mastercard', 'amex'] as const;
