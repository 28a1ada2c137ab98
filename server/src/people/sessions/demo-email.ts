import { canonicalEmail } from '../../kit/email.ts';
import { invalid } from '../../kit/errors.ts';

/**
 * The home page starts checkouts without a key for the merchant of the user with this address. No other user may get
 * it, so it identifies the demo merchant even after a change of name.
 */
export const demoEmail = 'demo@example.com';

export function refuseDemoEmail(email: string): void {
  if (canonicalEmail(email).toLowerCase() !== demoEmail) return;
  throw invalid('invalid_parameter', 'email', `${email} is kept for the demo merchant, whose checkouts need no key`);
}
