import { Text } from '@mantine/core';
import type { Review, ReviewDecision } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FieldList } from '../kit/field-list.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Money } from '../kit/money.tsx';
import { notify } from '../kit/notices.tsx';
import { statusWord } from '../kit/status-words.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { amountIn, CameIn } from './came-in.tsx';
import { decisionWords, movesNothing } from './review-words.ts';
import { isSameAmount, TypedAmount } from './typed-amount.tsx';

interface ResolveReviewDialogProps {
  review: Review;
  as: ReviewDecision['as'];
  onClose: () => void;
}

/**
 * The service refuses a second decision, so the request can be retried safely.
 * See docs/decisions/dashboard.md, "The operator types the amount that the decision moves".
 */
export function ResolveReviewDialog({ review, as, onClose }: ResolveReviewDialogProps): ReactNode {
  const { payment, merchant, paid, reason } = review;
  const [amount, setAmount] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const completes = as === 'completed';
  // Choice: the operator types the amount that this decision moves, so that a decision on the wrong payment is noticed
  // before any money moves.
  const moved = completes ? payment : (amountIn(paid) ?? payment);
  const isTyped = !movesNothing(review);
  const deciding = useServiceMutation({
    mutate: ({ operator }, decision: ReviewDecision) => operator.resolveReview(payment.id, decision),
    isRepeatable: false,
    changes: ['operator', 'payments', 'statistics'],
    onAnswer: ({ payment: { status, reviewReason } }) => {
      // A refusal changes neither a final status nor the status of a payment that the customer is still paying.
      if (reviewReason) void notify('Decided. The payment still needs another decision.');
      else if (!isTyped) void notify(`Review closed. Status of the payment: ${statusWord(status)}.`);
      else
        void notify(status === 'failed' ? 'Payment failed.' : `Decided. Status of the payment: ${statusWord(status)}.`);
      onClose();
    },
  });
  const { title, submitLabel, effect } = decisionWords(review, as);
  const submit = () => {
    const isOther = isTyped && !isSameAmount(amount, moved);
    setIsWrong(isOther);
    if (!isOther) deciding.mutate(reason === null ? { as } : { as, reason: reason as ReviewDecision['reason'] });
  };
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      mutation={deciding}
      onSubmit={submit}
      submitLabel={submitLabel}
      isDangerous={isTyped && !completes}
      lostWords="It may have been decided. Close this dialog and check whether the payment is still in the list."
    >
      <Text size="sm">
        {effect} It is <bdi>{payment.reference}</bdi> of <bdi>{merchant.name}</bdi>.
      </Text>
      <FieldList
        fields={[
          ['Requested', <Money key="asked" {...payment} by="code" />],
          ['Received', <CameIn key="in" paid={paid} />],
        ]}
      />
      {isTyped && (
        <TypedAmount
          amount={moved.amount}
          currency={moved.currency}
          typed={amount}
          onChange={setAmount}
          isWrong={isWrong}
        />
      )}
    </FormDialog>
  );
}
