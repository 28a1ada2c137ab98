/**
 * Binds a form to the version of the payment that its page showed, so that a form from an outdated page has no effect:
 * a page in another tab, a page restored by the Back button, or a recorded request.
 * See docs/decisions/checkout-page.md, "A form carries the version of the payment that its page showed".
 */
import type { Sealer } from '../../kit/seal.ts';
import type { Payment } from '../../money/payments/payment.entity.ts';

export function formNonce(sealer: Sealer, payment: Payment): string {
  return sealer.seal(payment.version, ownerOf(payment));
}

/** Returns null when the form has no valid nonce. */
export function versionOfForm(sealer: Sealer, payment: Payment, body: unknown): string | null {
  const { nonce } = (body ?? {}) as { nonce?: unknown };
  if (typeof nonce !== 'string') return null;
  try {
    return sealer.open(nonce, ownerOf(payment));
  } catch {
    return null;
  }
}

/** The owner of the sealed value contains the purpose, because other values may be sealed for the same payment. */
function ownerOf({ id }: Payment): string {
  return `checkout-form:${id}`;
}
