import { Text } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { Callout } from '../kit/callout.tsx';
import { usePaymentStory } from './use-payment-story.ts';
import { isAboutReceived, WhoDecides } from './who-decides.tsx';

interface Words {
  title: string;
  text: string;
}

const words: Record<string, Words> = {
  amount_mismatch: {
    title: 'This payment is under review',
    text: 'The amount received differs from the amount requested. Either the payment is completed, or it fails. Your endpoints then receive a webhook.',
  },
  paid_late: {
    title: 'A bank transfer arrived late',
    text: 'The money arrived after the payment had failed or expired. Either the payment is completed, or the money goes back.',
  },
  paid_twice: {
    title: 'The customer paid more than once',
    text: 'It is not decided yet what happens with the second amount.',
  },
  refund_without_funds: {
    title: 'Your Collection wallet balance is too low for a refund',
    text: 'A refund of this payment was made at the payment processor, but could not be taken from your Collection wallet. It is taken automatically once the balance is high enough. The operator of this service reviews it too.',
  },
  disputed: {
    title: 'The customer disputed this payment',
    text: 'The customer asked their bank for the money back, and the bank will decide. The operator of this service responds to the bank. Do not refund it before then, or the customer may get the money twice.',
  },
};

/** Shown for a reason that this version of the page does not know. */
const otherReason: Words = {
  title: 'This payment is under review',
  text: 'The operator of this service must decide.',
};

export function ReviewNote({ payment, reason }: { payment: Payment; reason: string }): ReactNode {
  const { title, text } = words[reason] ?? otherReason;
  return (
    <Callout title={title} tone="warn">
      {isAboutReceived(reason) && <Received payment={payment} />}
      <Text size="sm">
        {text} {isAboutReceived(reason) && <WhoDecides reason={reason} />}
      </Text>
    </Callout>
  );
}

function Received({ payment: { reference, amount, currency } }: { payment: Payment }): ReactNode {
  const { data } = usePaymentStory(reference);
  const amounts = (data?.attempts ?? []).flatMap(({ amountReceived, currencyReceived }) =>
    amountReceived === null ? [] : [{ amount: amountReceived, currency: currencyReceived }],
  );
  // Several currencies have no sum. The timeline shows each amount.
  if (amounts.length === 0 || amounts.some((one) => one.currency !== currency)) return null;
  const sum = amounts.reduce((total, one) => total + one.amount, 0);
  return (
    <Text size="sm" fw={600}>
      {formatAmount(sum, currency)} of {formatAmount(amount, currency)} arrived.
    </Text>
  );
}
