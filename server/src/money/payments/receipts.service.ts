import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { getMerchant } from '../../people/merchants/merchants.service.ts';
import { type MailContent, type MailRenderers, mailInsertion } from '../../platform/mail/mails.service.ts';
import { mailsCustomer } from '../mails/customer-mail.ts';
import { type ReceiptMail, receiptMail } from '../mails/receipt-mail.ts';
import type { LockedPayment } from './lock-payment.ts';
import { Payment } from './payment.entity.ts';

type Completed = Pick<LockedPayment, 'payment' | 'sendReceipts'>;

/** For the statement that completes the payment, which happens once, so a payment has one receipt. */
export function receiptInsertion(
  tx: WriteContext,
  { payment, sendReceipts }: Completed,
): ReturnType<typeof mailInsertion> {
  if (!sendReceipts || !payment.receipt || !mailsCustomer(tx, payment.mode)) return null;
  const { id, merchantId, customerEmail } = payment;
  return mailInsertion(tx, { kind: 'receipt', merchantId, recipient: customerEmail, values: { paymentId: id } });
}

export const receiptMails: MailRenderers = { receipt };

async function receipt(context: Context, { paymentId }: { paymentId: string }): Promise<MailContent> {
  return receiptMail(await findMailedPayment(context, paymentId));
}

export async function findMailedPayment(context: Context, id: string): Promise<ReceiptMail> {
  const own = withFreshEntityManager(context);
  const payment = await own.em.findOne(Payment, { id });
  if (!payment) throw new Error(`There is no payment ${id} for a mail.`);
  return { payment, merchant: await getMerchant(own, payment.merchantId), publicUrl: context.publicUrl };
}
