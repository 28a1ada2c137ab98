import { Merchant } from '../auth/merchants/merchant.entity.ts';
import type { Brand } from '../auth/merchants/merchants.service.ts';
import type { Context } from '../context.ts';
import type { Payment } from '../payments/payment.entity.ts';

/** Name, logo and colour of the merchant whom the customer pays. */
export async function getBrand(context: Context, payment: Payment): Promise<Brand> {
  const merchant = await context.em.findOne(Merchant, { id: payment.merchantId });
  if (!merchant) throw new Error(`Payment ${payment.id} belongs to no merchant.`);
  return merchant;
}
