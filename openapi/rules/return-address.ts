interface EndedPayment {
  status: string;
  reference: string;
  callbackUrl?: string | null;
  cancelUrl?: string | null;
}

const ours = ['reference', 'status'];

/**
 * The merchant's address that the customer returns to, on the service and on the mock, with reference and status in the
 * query. Null when the merchant gave none. Choice: a customer who paid goes to `callbackUrl`, any other to `cancelUrl`, or
 * to `callbackUrl` without a `cancelUrl`.
 */
export function returnAddress({ status, reference, callbackUrl, cancelUrl }: EndedPayment): string | null {
  const address = status === 'completed' ? callbackUrl : (cancelUrl ?? callbackUrl);
  if (!address || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // The query stays text, because `searchParams` would encode the merchant's query differently. A `status` of the merchant's
  // own gives way: a shop that reads the first one would take it for the status of the payment.
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ours.includes(nameOf(part)));
  url.search = [...others, new URLSearchParams({ reference, status })].join('&');
  return url.href;
}

/** The name of a parameter as a shop reads it. */
function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? '';
}
