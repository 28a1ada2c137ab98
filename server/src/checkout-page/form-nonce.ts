/**
 * Ties a form to the payment as its page showed it. It is sealed, so nobody makes one up, and it is of one version of the
 * payment, so the form of a page that is out of date (another tab, the back button, a recorded request) submits nothing.
 * See docs/decisions/checkout-page.md, "A form carries the version of the payment that its page showed".
 */
import type { Sealer } from '../kit/seal.ts';
import type { Payment } from '../payments/payment.entity.ts';

export function formNonce(sealer: Sealer, payment: Payment): string {
  return sealer.seal(payment.version, ownerOf(payment));
}

/** The version of the payment that the form was made for; null when it is none of our forms. */
export function versionOfForm(sealer: Sealer, payment: Payment, body: unknown): string | null {
  const { nonce } = (body ?? {}) as { nonce?: unknown };
  if (typeof nonce !== 'string') return null;
  try {
    return sealer.open(nonce, ownerOf(payment));
  } catch {
    return null;
  }
}

/** Not the id alone, under which other things may be sealed. */
function ownerOf({ id }: Payment): string {
  return `checkout-form:${id}`;
}
