import type { WriteContext } from '../../context.ts';
import { type DisputeEvent, type MoneyDetails, notify } from '../../people/notifications/notify.service.ts';
import type { Payment, ReviewReason } from './payment.entity.ts';

/** `notifyOfDispute` is for disputes. */
export function notifyOfReview(
  tx: WriteContext,
  payment: Payment,
  reason: Exclude<ReviewReason, 'disputed'>,
): Promise<void> {
  return notify(tx, { kind: 'payment_review', ...ownerOf(payment), details: { ...moneyOf(payment), reason } });
}

/** `dueAt` is the time until which the bank accepts evidence. */
export function notifyOfDispute(
  tx: WriteContext,
  payment: Payment,
  { event, dueAt }: { event: DisputeEvent; dueAt: Date | null },
): Promise<void> {
  const details = { ...moneyOf(payment), event, dueAt: dueAt?.toISOString() ?? null };
  return notify(tx, { kind: 'dispute', ...ownerOf(payment), details });
}

const ownerOf = ({ merchantId, mode }: Payment) => ({ merchantId, mode });

function moneyOf({ reference, amount, currency }: Payment): MoneyDetails {
  return { reference, amount: Number(amount), currency };
}
