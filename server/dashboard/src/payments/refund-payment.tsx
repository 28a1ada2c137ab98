import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type Payment, type RefundRequest, TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { useRead } from '../app/use-read.ts';
import { amountProblem, formatAmount, readAmount, writeAmount } from '../kit/amount.ts';
import { AmountField } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormButton } from '../kit/form-button.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { newReference } from '../kit/new-reference.ts';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

/**
 * When nothing is left to refund, an open dialog stays, because it may have to retry a request whose response was lost.
 */
export function RefundPayment({ payment }: { payment: Payment }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const { currency } = payment;
  const left = payment.amount - payment.amountRefunded;
  const form = useRefundForm(payment);
  const refunding = useServiceMutation({
    mutate: ({ refunds }, input: RefundRequest, options) => refunds.create(payment.reference, input, options),
    changes: ['payments', 'events', 'deliveries', 'wallets'],
    onAnswer: ({ amount }) => {
      close();
      form.setFieldValue('reference', newReference('refund'));
      void notify(`${formatAmount(amount, currency)} refunded. It is on its way to the customer.`);
    },
  });
  // This effect must run before the effect that sets the errors, because changing a field's value clears its error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each error.
  useEffect(() => {
    if (codeOf(refunding.error) === 'duplicate_reference') form.setFieldValue('reference', newReference('refund'));
  }, [refunding.error]);
  useFieldErrors(form, refunding.error, errorSentences);
  const typed = readAmount(form.getValues().amount, currency) ?? 0;
  const begin = () => {
    if (!refunding.isLost) form.setValues({ amount: writeAmount(left, currency), reason: '' });
    open();
  };
  useAsked('refund', begin);
  return (
    <>
      {left > 0 && (
        <FormButton needs="payment_processor" variant="default" onClick={begin}>
          Refund
        </FormButton>
      )}
      <FormDialog
        title="Refund payment"
        isOpen={isOpen}
        onClose={close}
        mutation={refunding}
        isErrorShown={codeOf(refunding.error) in errorSentences}
        onSubmit={form.onSubmit((values) => refunding.mutate(requestOf(values, currency)))}
        submitLabel={typed > 0 ? `Refund ${formatAmount(typed, currency)}` : 'Refund'}
        needs="payment_processor"
      >
        <AmountField
          {...form.getInputProps('amount')}
          label={`Amount in ${currency}`}
          description={left > 0 ? `${formatAmount(left, currency)} can be refunded.` : 'Nothing left to refund.'}
        />
        <Textarea
          {...form.getInputProps('reason')}
          label="Reason"
          description="Optional. The customer does not see it."
          autosize
          maxLength={200}
          dir="auto"
        />
        <Effect payment={payment} amount={typed} left={left} isOpen={isOpen} />
      </FormDialog>
    </>
  );
}

interface TypedRefund {
  amount: string;
  reason: string;
  reference: string;
}

/**
 * The reference stays until the refund has succeeded: the service refuses a second refund with the same reference.
 * See docs/decisions/dashboard.md, "A dialog for a refund has one reference until the refund is made".
 */
function useRefundForm({ amount, amountRefunded, currency }: Payment) {
  const left = amount - amountRefunded;
  return useForm<TypedRefund>({
    initialValues: { amount: '', reason: '', reference: newReference('refund') },
    validate: {
      amount: (typed) => {
        const problem = amountProblem(typed, currency);
        if (problem !== null || (readAmount(typed, currency) ?? 0) <= left) return problem;
        return left > 0 ? `Only ${formatAmount(left, currency)} can still be refunded.` : refundedAlready;
      },
    },
  });
}

function requestOf({ amount, reason, reference }: TypedRefund, currency: string): RefundRequest {
  const why = reason.trim();
  return { amount: readAmount(amount, currency) ?? 0, reference, ...(why && { reason: why }) };
}

interface EffectProps {
  payment: Payment;
  amount: number;
  /** The amount of the payment that can still be refunded. */
  left: number;
  isOpen: boolean;
}

/** When the amount exceeds `left`, only the wallet's balance is shown, and not the effect of the refund. */
function Effect({ payment, amount, left, isOpen }: EffectProps): ReactNode {
  const { currency, mode } = payment;
  const { data } = useRead({
    key: ['wallets'],
    read: (tillhook, options) => tillhook.wallets.list({}, options),
    isLive: true,
    isEnabled: isOpen,
  });
  const collection = data?.wallets.find((wallet) => wallet.kind === 'collection' && wallet.currency === currency);
  return (
    <Text size="sm" role="status">
      {collection && `Your Collection wallet has ${formatAmount(collection.available, currency)}.`}{' '}
      {amount <= left && (
        <>
          {amount > 0
            ? `${formatAmount(amount, currency)} is taken from it at once, and the customer gets it within a few days.`
            : 'The amount is taken from it at once, and the customer gets it within a few days.'}{' '}
          {'If the refund fails, the money returns to your Collection wallet and you can refund again.'}{' '}
          {mode === 'test' && 'In test mode no money is sent.'}
        </>
      )}
    </Text>
  );
}

function codeOf(error: Error | null): string {
  return (error instanceof TillhookError && error.code) || '';
}

const refundedAlready = 'This payment is already fully refunded.';

/** The messages that the form shows below a field for error codes of the API that come without a field name. */
const errorSentences = {
  refund_exceeds_payment: { amount: 'This is more than can still be refunded.' },
  insufficient_funds: {
    amount: 'Your Collection wallet balance is too low. Refund less, or wait for more payments.',
  },
  duplicate_reference: {
    amount: 'This refund was already made. Check the refunds of this payment before you make another.',
  },
};
