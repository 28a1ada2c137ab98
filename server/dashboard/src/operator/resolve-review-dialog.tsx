import { Text } from '@mantine/core';
import type { Review, ReviewDecision } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { isSameAmount, TypedAmount } from './typed-amount.tsx';

interface ResolveReviewDialogProps {
  review: Review;
  as: ReviewDecision['as'];
  onClose: () => void;
}

/** A second decision is refused by the service, so nothing is decided twice. */
export function ResolveReviewDialog({ review, as, onClose }: ResolveReviewDialogProps): ReactNode {
  const { payment, merchant } = review;
  const [amount, setAmount] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const completes = as === 'completed';
  const deciding = useAsk({
    ask: ({ operator }, decision: ReviewDecision['as']) => operator.resolveReview(payment.id, { as: decision }),
    isRepeatable: false,
    changes: ['operator', 'payments', 'statistics'],
    onAnswer: ({ payment: { status } }) => {
      // What was refused may have ended before, or its customer is still paying: then its status stays.
      void notify(status === 'failed' ? 'The payment has failed.' : `Decided. The payment is ${status}.`);
      onClose();
    },
  });
  const submit = () => {
    const isOther = !isSameAmount(amount, payment);
    setIsWrong(isOther);
    if (!isOther) deciding.ask(as);
  };
  return (
    <FormDialog
      title={completes ? 'Complete this payment' : 'Refuse this payment'}
      isOpen
      onClose={onClose}
      asking={deciding}
      onSubmit={submit}
      submitLabel={completes ? 'Complete the payment' : 'Refuse the payment'}
      isDangerous={!completes}
      lostWords="It may have been decided. Close this and look whether the payment is still in the list."
    >
      <Text size="sm">
        {completes
          ? 'The merchant gets what was asked for, as if exactly that had come in.'
          : 'The payment fails. Give the customer the money back at the processor.'}{' '}
        It is <bdi>{payment.reference}</bdi> of <bdi>{merchant.name}</bdi>.
      </Text>
      <TypedAmount
        amount={payment.amount}
        currency={payment.currency}
        typed={amount}
        onChange={setAmount}
        isWrong={isWrong}
      />
    </FormDialog>
  );
}
