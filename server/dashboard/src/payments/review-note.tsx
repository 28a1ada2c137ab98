import type { ReactNode } from 'react';
import { Callout } from '../kit/callout.tsx';

interface Words {
  title: string;
  text: string;
}

const words: Record<string, Words> = {
  amount_mismatch: {
    title: 'This payment is under review',
    text: 'The amount received differs from the amount asked for. The operator of this service decides whether the payment is completed or fails. Your endpoints receive a webhook then.',
  },
  paid_twice: {
    title: 'The customer paid more than once',
    text: 'This payment is under review: the operator of this service decides what becomes of the second amount.',
  },
  refund_without_funds: {
    title: 'Your Collection wallet holds too little for a refund',
    text: 'A refund of this payment was made at the payment processor, and it could not be taken out of your Collection wallet. It is taken out by itself as soon as the wallet holds enough. The operator of this service looks at it too.',
  },
  disputed: {
    title: 'The customer disputes this payment',
    text: 'The customer asked the bank for the money back, and the bank will decide. The operator of this service answers the bank. Refund nothing before that, or the customer may get the money twice.',
  },
};

/** Shown for a reason that this version of the page does not know. */
const otherReason: Words = {
  title: 'This payment is under review',
  text: 'The operator of this service has to decide about it.',
};

export function ReviewNote({ reason }: { reason: string }): ReactNode {
  const { title, text } = words[reason] ?? otherReason;
  return (
    <Callout title={title} tone="warn">
      {text}
    </Callout>
  );
}
