import type { Payment } from '../payments/payment.entity.ts';

/**
 * Where the customer goes from here, with the reference and a hint of the status. Null when the merchant named no place.
 * Choice: who paid goes to `callbackUrl`; everybody else to `cancelUrl`, or to `callbackUrl` when there is none.
 */
export function returnAddress(payment: Payment): string | null {
  const { status, reference, callbackUrl, cancelUrl } = payment;
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // As text, because `searchParams` would respell the merchant's own query.
  url.search = `${url.search ? `${url.search}&` : ''}${new URLSearchParams({ reference, status })}`;
  return url.href;
}
