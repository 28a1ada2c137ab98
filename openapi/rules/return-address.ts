interface EndedPayment {
  status: string;
  reference: string;
  callbackUrl?: string | null;
  cancelUrl?: string | null;
}

const ours = ['reference', 'status'];

/**
 * Returns the address of the merchant's shop to which the customer returns, with reference and status in the query.
 * Service and mock use it. Null when the merchant gave no address. Choice: after a payment it is `callbackUrl`;
 * otherwise it is `cancelUrl`, or `callbackUrl` when there is no `cancelUrl`.
 */
export function returnAddress({ status, reference, callbackUrl, cancelUrl }: EndedPayment): string | null {
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // `searchParams` would encode the merchant's query differently, so the query is edited as text. A `status` parameter
  // of the merchant is replaced, because a shop could read it as the status of the payment.
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ours.includes(nameOf(part)));
  url.search = [...others, new URLSearchParams({ reference, status })].join('&');
  return url.href;
}

/** Decodes the name of a parameter, as the shop does. */
function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? '';
}
