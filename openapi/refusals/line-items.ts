/** The rule for items that must add up to an amount, which no schema can express. */

interface Total {
  /** The name of its field. */
  name: string;
  value: unknown;
}

/**
 * What is wrong with the sum of a list of items; null when nothing is. A list or total that breaks its own schema has no
 * sum to compare. The sum is a `bigint`, because 50 items of the contract's limits add up to more than a number holds.
 * See docs/decisions/checkout-page.md, "Line items must add up to the amount".
 */
export function sumProblem(items: unknown, { name, value }: Total): string | null {
  const sum = Array.isArray(items) ? sumOf(items) : null;
  if (sum === null || !Number.isSafeInteger(value) || sum === BigInt(Number(value))) return null;
  return `must add up to ${name}: the items make ${sum}, and ${name} is ${value}`;
}

/** Null when an item has no quantity or unit amount that can be counted. */
function sumOf(items: readonly unknown[]): bigint | null {
  const amounts = items.map(amountOf);
  return amounts.every((amount) => amount !== null) ? amounts.reduce((sum, amount) => sum + amount, 0n) : null;
}

function amountOf(item: unknown): bigint | null {
  const { quantity, unitAmount } = Object(item);
  const isCounted = Number.isSafeInteger(quantity) && Number.isSafeInteger(unitAmount);
  return isCounted ? BigInt(quantity) * BigInt(unitAmount) : null;
}
