import { Merchant } from '../auth/merchant.entity.ts';
import type { Context } from '../context.ts';
import type { Payment } from '../payments/payment.entity.ts';

/** Whom the customer is paying. */
export async function getMerchantName(context: Context, payment: Payment): Promise<string> {
  const merchant = await context.em.findOne(Merchant, { id: payment.merchantId });
  if (!merchant) throw new Error(`Payment ${payment.id} belongs to no merchant.`);
  return merchant.name;
}
