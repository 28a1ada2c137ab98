import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FundingRequest } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { amountProblem, formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useAsk } from '../kit/use-ask.ts';

/** Puts money of test mode into the Transfer wallet, to try transfers with. */
export function FundDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { merchant } = useSession();
  const form = useForm({
    initialValues: { amount: '', currency: merchant.currency },
    validate: { amount: (typed, { currency }) => amountProblem(typed, currency) },
  });
  const funding = useAsk({
    ask: (tillhook, input: FundingRequest, options) => tillhook.testHelpers.fundWallet(input, options),
    changes: ['wallets'],
    onAnswer: (_, { amount }) => {
      onClose();
      void notify(`${formatAmount(amount, form.getValues().currency)} of test money added`);
      form.reset();
    },
  });
  useFieldErrors(form, funding.error);
  const { amount: typed, currency } = form.getValues();
  const amount = readAmount(typed, currency);
  return (
    <FormDialog
      title="Add test money"
      isOpen={isOpen}
      onClose={onClose}
      asking={funding}
      onSubmit={form.onSubmit((values) => funding.ask({ amount: readAmount(values.amount, currency) ?? 0, currency }))}
      submitLabel="Add it"
    >
      <AmountFields label="Amount" amount={form.getInputProps('amount')} currency={form.getInputProps('currency')} />
      <Text size="sm" role="status">
        {amount ? `${formatAmount(amount, currency)} of test money` : 'Test money'} will be added to the Transfer wallet
        of test mode. Nobody pays for it, and live mode does not change.
      </Text>
    </FormDialog>
  );
}
