import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { noteActFor } from '../../people/audit/audit.service.ts';
import { getMerchant, withMerchants } from '../../people/merchants/merchants.service.ts';
import { paidView, reviewedPaymentView } from './payment.view.ts';
import { decisionActions, pagePaymentsForReview, resolvePayment } from './reviews.service.ts';

export const listReviews: Operation<'listReviews'> = read(async (context, { query }) => {
  const { records, total } = await pagePaymentsForReview(context, context.principal.mode, pageOf(query));
  const payments = records.map(({ payment }) => payment);
  const owners = new Map(await withMerchants(context, payments));
  const reviews = records.flatMap(({ payment, paid }) => {
    const merchant = owners.get(payment);
    const { reviewReason: reason, reviewReasons: reasons } = payment;
    if (!merchant || !reason) return [];
    return [{ ...reviewedPaymentView(payment, merchant, context), reason, reasons, paid: paid.map(paidView) }];
  });
  return { reviews, total };
});

export const resolveReview: Operation<'resolveReview'> = write(async (context, { path, body }) => {
  const which = { id: path.id, mode: context.principal.mode, about: body.reason };
  const { payment } = await resolvePayment(context, which, body.as);
  const { merchantId, mode, reference } = payment;
  noteActFor(context, { merchantId, mode, action: decisionActions[body.as], subject: reference });
  return reviewedPaymentView(payment, await getMerchant(context, merchantId), context);
});
