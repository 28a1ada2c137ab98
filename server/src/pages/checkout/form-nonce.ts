/**
 * Binds a form to the version of the payment that its page showed. The nonce is encrypted and authenticated, so it
 * cannot be forged. It is valid for one version of the payment, so the form of an outdated page (another tab, the back
 * button, a recorded request) submits nothing.
 * See docs/decisions/checkout-page.md, "A form carries the version of the payment that its page showed".
 */
import type { Sealer } from '../../kit/seal.ts';
import type { Payment } from '../../money/payments/payment.entity.ts';

export function formNonce(sealer: Sealer, payment: Payment): string {
  return sealer.seal(payment.version, ownerOf(payment));
}

/** Returns the version of the payment that the form was made for. Null when the form has no valid nonce of ours. */
export function versionOfForm(sealer: Sealer, payment: Payment, body: unknown): string | null {
  const { nonce } = (body ?? {}) as { nonce?: unknown };
  if (typeof nonce !== 'string') return null;
  try {
    return sealer.open(nonce, ownerOf(payment));
  } catch {
    return null;
  }
}

/** The owner of the sealed value. It is more than the id, because other values may be sealed for the same id. */
function ownerOf({ id }: Payment): string {
  return `checkout-form:${id}`;
}
