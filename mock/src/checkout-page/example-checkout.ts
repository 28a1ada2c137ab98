import type { Payment } from '@tillhook/openapi';
import type { Checkout } from '../memory/checkout.ts';
import type { SeedRecord } from '../seeds.ts';

/**
 * The checkout of a pending payment among the examples, so that its `checkoutUrl` leads to a page too. Its time begins
 * now, because the examples are of a fixed day.
 */
export function exampleCheckout(records: readonly SeedRecord[], accessCode: string): Checkout | undefined {
  const found = records.find(({ checkoutUrl }) => String(checkoutUrl).endsWith(`/checkout/${accessCode}`));
  if (!found || accessCode === '') return undefined;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const payment = { ...(found as unknown as Payment), expiresAt };
  return { payment, accessCode, locale: null };
}
