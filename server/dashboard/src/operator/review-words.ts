import type { Review, ReviewDecision } from '@tillhook/sdk/session';

/** The effect of a decision that moves no money. The keys are the reasons for the review. */
const withoutMoney: Record<string, string> = {
  refund_without_funds:
    'No money moves. The refund stays recorded, and is taken out of the Collection wallet of the merchant as soon as the wallet holds enough. End the review when the merchant knows about it.',
  disputed:
    'No money moves. Answer the bank at the processor. End the review when the bank has decided and you have settled the result with the merchant.',
};

export function movesNothing({ reason }: Review): boolean {
  return reason !== null && reason in withoutMoney;
}

interface DecisionWords {
  title: string;
  submitLabel: string;
  effect: string;
}

export function decisionWords({ payment, reason }: Review, as: ReviewDecision['as']): DecisionWords {
  const effect = withoutMoney[reason ?? ''];
  if (effect !== undefined) return { title: 'End this review', submitLabel: 'End the review', effect };
  if (as === 'failed') {
    return {
      title: 'Refuse this payment',
      submitLabel: 'Refuse the payment',
      effect: 'The payment fails. At the processor, give the whole amount that it received back to the customer.',
    };
  }
  return {
    title: 'Complete this payment',
    submitLabel: 'Complete the payment',
    effect:
      payment.status === 'completed'
        ? 'The merchant already has the amount of the payment, and gets no more. At the processor, give what was paid twice back to the customer.'
        : 'The merchant gets the amount of the payment, as if exactly this amount had been received.',
  };
}
