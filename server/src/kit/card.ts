import { remember } from './remember.ts';

export interface Card {
  brand: 'visa' | 'mastercard' | 'amex' | 'unknown';
  last4: string;
}

export interface Decline {
  code: string;
  message: string;
}

export const brandNames: Partial<Record<Card['brand'], string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
};

export interface BrandRules {
  starts: RegExp;
  groups: readonly number[];
  codeLength: number;
}

const fours = [4, 4, 4, 4];

/** The numbers of Mastercard begin with 51 to 55, and newer numbers with 2221 to 2720. */
export const cardBrands = {
  visa: { starts: /^4/, groups: fours, codeLength: 3 },
  mastercard: { starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, groups: fours, codeLength: 3 },
  amex: { starts: /^3[47]/, groups: [4, 6, 5], codeLength: 4 },
} satisfies Record<Exclude<Card['brand'], 'unknown'>, BrandRules>;

/** How the digits of a card number of an unknown brand are grouped. The longest number has 19 digits. */
export const unknownGroups = [...fours, 3];

export function brandOf(number: string): Card['brand'] {
  const brand = knownBrands.find((known) => cardBrands[known].starts.test(number));
  return brand ?? 'unknown';
}

export function brandRules(number: string): BrandRules | null {
  const brand = brandOf(number);
  return brand === 'unknown' ? null : cardBrands[brand];
}

/** Returns the number as a card shows it: `4242 4242 4242 4242`, or `3782 822463 10005`. */
export function groupedNumber(number: string): string {
  const groups = brandRules(number)?.groups ?? unknownGroups;
  const [, ...parts] = groupPattern(groups.join()).exec(number) ?? [];
  return parts.filter((part) => part !== '').join(' ');
}

const groupPattern = remember((sizes) => {
  const groups = sizes.split(',').map((size) => `(\\d{0,${size}})`);
  return new RegExp(`^${groups.join('')}`);
});

const knownBrands = ['visa', 'mastercard', 'amex'] as const;
