import type { Resolution } from '../../money/payments/review.service.ts';
import { shownAmount } from './shown-amount.ts';

/** Tells the operator what the decision did, and what is left to do at the processor. */
export function resolutionNote(resolution: Resolution): string {
  const { reference, status, reviewReasons } = resolution.payment;
  const left =
    reviewReasons.length > 0
      ? `still waits for a decision: ${reviewReasons.join(', ')}`
      : 'no longer waits for a decision';
  return `${reference} is ${status} and ${left}. ${moneyNote(resolution)}`;
}

function moneyNote({ payment, reason, effect }: Resolution): string {
  if (effect === 'credited') {
    return `The merchant was credited with ${shownAmount({ amount: Number(payment.amount), currency: payment.currency })}.`;
  }
  switch (reason) {
    case 'disputed':
      return 'No money moved: settle with the merchant what the bank took back or gave back.';
    case 'refund_without_funds':
      return (
        'No money moved. A refund that waits for funds is taken from the Collection wallet as soon as it ' +
        'holds enough.'
      );
    default:
      return payment.status === 'completed'
        ? 'No money moved, because the merchant had the amount already: at the processor, refund what was paid twice.'
        : 'The merchant was credited with nothing: at the processor, refund the whole amount that it received.';
  }
}
