interface EndedPayment {
  status: string;
  reference: string;
  callbackUrl?: string | null;
  cancelUrl?: string | null;
}

const ours = ['reference', 'status'];

/** Choice: a customer who paid returns to `callbackUrl`, and any other customer to `cancelUrl` if there is one. */
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

/** Decodes the name of a query parameter as the shop's server does. */
function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? '';
}
