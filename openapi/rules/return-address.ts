interface EndedPayment {
  status: string;
  reference: string;
  callbackUrl?: string | null;
  cancelUrl?: string | null;
}

const ours = ['reference', 'status'];

/**
 * Returns the address in the merchant's shop to which the customer returns, with the reference and the status in the
 * query. The server and the mock both use this function. Returns null when the merchant gave no address.
 * Choice: after a payment, the address is `callbackUrl`; otherwise it is `cancelUrl`, or `callbackUrl` when there is no
 * `cancelUrl`.
 */
export function returnAddress({ status, reference, callbackUrl, cancelUrl }: EndedPayment): string | null {
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // The query is edited as text, because `searchParams` would change the encoding of the merchant's parameters. The
  // merchant's own `status` parameter is replaced, because a shop could take it for the status of the payment.
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ours.includes(nameOf(part)));
  url.search = [...others, new URLSearchParams({ reference, status })].join('&');
  return url.href;
}

/** Decodes the name of a parameter in the same way as the shop. */
function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? '';
}
