import type { Chosen } from './filters.tsx';

/**
 * Explains why a list is empty when its filters exclude each other or match only whole references. Null when neither
 * is the case.
 */
export function whyNone({ minAmount, maxAmount, from, to, reference }: Chosen<string>): string | null {
  if (minAmount && maxAmount && Number(minAmount) > Number(maxAmount)) return 'Amount from is more than Amount to.';
  if (from && to && Date.parse(String(from)) > Date.parse(String(to)))
    return 'The first moment is later than the last.';
  return reference === undefined ? null : 'A reference is found only when the whole of it is typed.';
}
