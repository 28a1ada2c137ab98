import type { Review, ReviewDecision } from '@tillhook/sdk/session';

/** The effect of a decision that moves no money. The keys are the reasons for the review. */
const withoutMoney: Record<string, string> = {
  refund_without_funds:
    'No money moves. The refund stays recorded, and is taken from the merchant’s Collection wallet once its balance is high enough. Close the review once the merchant knows.',
  disputed:
    'No money moves. Respond to the bank at the processor. Close the review once the bank has decided and you have settled the result with the merchant.',
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
  if (effect !== undefined) return { title: 'Close review', submitLabel: 'Close review', effect };
  if (as === 'failed') {
    return {
      title: 'Refuse payment',
      submitLabel: 'Refuse payment',
      effect: 'The payment fails. Refund the whole amount received to the customer at the processor.',
    };
  }
  return {
    title: 'Complete payment',
    submitLabel: 'Complete payment',
    effect:
      payment.status === 'completed'
        ? 'The merchant already has the amount of the payment, and gets no more. Refund the second amount to the customer at the processor.'
        : 'The merchant gets the amount of the payment, as if exactly this amount had been received.',
  };
}
