/** A visitor of the home page can start a checkout of the demo merchant without an API key. */

import type { Context, WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { type NewPayment, startCheckout } from '../../money/payments/payments.service.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import { findMerchantOfUser } from '../../people/sessions/dashboard-users.service.ts';
import { demoEmail } from '../../people/sessions/demo-email.ts';
import { isOutage } from '../../platform/database/connection/outage.ts';

/** Returns null also while the database is unreachable, because the home page works without the demo merchant. */
export async function findDemoMerchant(context: Context): Promise<Merchant | null> {
  try {
    const merchant = await findMerchantOfUser(context, demoEmail);
    return merchant?.suspendedAt ? null : merchant;
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}

export async function startDemoCheckout(tx: WriteContext): Promise<NewPayment> {
  const merchant = await findMerchantOfUser(tx, demoEmail);
  if (!merchant || merchant.suspendedAt) throw notFound();
  const principal = { merchantId: merchant.id, mode: 'test' as const, currency: merchant.currency };
  const home = `${tx.publicUrl}/`;
  const details = { email: 'ada@example.com', amount: 500_000, description: 'A test checkout' };
  return startCheckout({ ...tx, principal }, { ...details, callbackUrl: home, cancelUrl: home });
}
