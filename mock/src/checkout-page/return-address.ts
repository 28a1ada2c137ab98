import type { Payment } from '@tillhook/openapi';

/**
 * Where the customer returns to, as on the service: with reference and status after the address's own query. A customer
 * who paid goes to `callbackUrl`, any other to `cancelUrl`, or to `callbackUrl` without a `cancelUrl`. Null without both.
 */
export function returnAddress({ status, reference, callbackUrl, cancelUrl }: Payment): string | null {
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // As text, because `searchParams` would write the shop's own query in another way.
  url.search = `${url.search ? `${url.search}&` : ''}${new URLSearchParams({ reference, status })}`;
  return url.href;
}
