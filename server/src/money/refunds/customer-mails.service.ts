import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import { type MailContent, type MailRenderers, writeMail } from '../../platform/mail/mails.service.ts';
import { mailsCustomer } from '../mails/customer-mail.ts';
import { type RefundMail, refundArrivedMail, refundBegunMail, refundFailedMail } from '../mails/refund-mails.ts';
import type { Payment } from '../payments/payment.entity.ts';
import { findMailedPayment } from '../payments/receipts.service.ts';
import { Refund } from './refund.entity.ts';

const contents = {
  refund_begun: refundBegunMail,
  refund_arrived: refundArrivedMail,
  refund_failed: refundFailedMail,
};

type Kind = keyof typeof contents;

interface Values {
  refundId: string;
}

export async function mailAboutRefund(
  tx: WriteContext,
  kind: Kind,
  { payment, refund }: { payment: Payment; refund: Refund },
): Promise<void> {
  const { merchantId, customerEmail, mode, receipt } = payment;
  if (!receipt || !mailsCustomer(tx, mode)) return;
  const [merchant] = await rowsOf<{ sendReceipts: boolean }>(tx)`
    select send_receipts as "sendReceipts" from merchant where id = ${merchantId}`;
  if (!merchant?.sendReceipts) return;
  await writeMail(tx, { kind, merchantId, recipient: customerEmail, values: { refundId: refund.id } satisfies Values });
}

export const refundMails: MailRenderers = Object.fromEntries(Object.keys(contents).map((kind) => [kind, render]));

async function render(context: Context, { refundId }: Values, { kind, status }: Mail): Promise<MailContent | null> {
  const refund = await withFreshEntityManager(context).em.findOne(Refund, { id: refundId });
  if (!refund) throw new Error(`There is no refund ${refundId} for a mail.`);
  // A mail that was held up for hours must not report the beginning after the end.
  if (kind === 'refund_begun' && status === 'pending' && !refund.isOpen) return null;
  const mail: RefundMail = { ...(await findMailedPayment(context, refund.paymentId)), refund };
  return contents[kind as Kind](mail);
}
