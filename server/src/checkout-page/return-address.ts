import type { Payment } from '../payments/payment.entity.ts';

/**
 * The merchant's address that the customer returns to, with reference and status in
 * the query. Null when the merchant gave none. Choice: a customer who paid goes to
 * `callbackUrl`, any other to `cancelUrl`, or to `callbackUrl` without a `cancelUrl`.
 */
export function returnAddress(payment: Payment): string | null {
  const { status, reference, callbackUrl, cancelUrl } = payment;
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // The query is extended as text, because `searchParams` would encode the merchant's query differently.
  url.search = `${url.search ? `${url.search}&` : ''}${new URLSearchParams({ reference, status })}`;
  return url.href;
}
