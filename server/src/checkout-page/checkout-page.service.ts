import { Merchant } from '../auth/merchants/merchant.entity.ts';
import type { Context } from '../context.ts';
import type { Payment } from '../payments/payment.entity.ts';

/** The merchant whom the customer pays: name, logo and colour. */
export async function getBrand(context: Context, payment: Payment): Promise<Merchant> {
  const merchant = await context.em.findOne(Merchant, { id: payment.merchantId });
  if (!merchant) throw new Error(`Payment ${payment.id} belongs to no merchant.`);
  return merchant;
}
