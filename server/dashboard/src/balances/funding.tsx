import { Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { FundingRequest, Wallet } from '@tillhook/sdk/session';
import type { FormEvent, ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { amountProblem, formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { type ServiceMutation, useServiceMutation } from '../kit/use-service-mutation.ts';

/** Amounts are in the minor unit of the currency. */
type TestMoney = FundingRequest & { currency: string };

interface Funding {
  form: UseFormReturnType<{ amount: string; currency: string }>;
  /** The typed amount in minor units; null while the text is not a valid amount. */
  amount: number | null;
  funding: ServiceMutation<TestMoney>;
  fund: (event?: FormEvent<HTMLFormElement>) => void;
}

export function useFunding(onFunded: (wallet: Wallet, funded: TestMoney) => void): Funding {
  const { merchant } = useSession();
  const form = useForm({
    initialValues: { amount: '', currency: merchant.currency },
    validate: { amount: (typed, { currency }) => amountProblem(typed, currency) },
  });
  const funding = useServiceMutation({
    mutate: ({ test }, input: TestMoney, options) => test.fundWallet(input, options),
    changes: ['wallets', 'statistics'],
    onAnswer: onFunded,
  });
  useFieldErrors(form, funding.error);
  const { amount: typed, currency } = form.getValues();
  return {
    form,
    amount: readAmount(typed, currency),
    funding,
    fund: form.onSubmit((values) =>
      funding.mutate({ ...values, amount: readAmount(values.amount, values.currency) ?? 0 }),
    ),
  };
}

export function FundDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { form, amount, funding, fund } = useFunding((_wallet, funded) => {
    onClose();
    void notify(`${formatAmount(funded.amount, funded.currency)} of test money added`);
    form.reset();
  });
  return (
    <FormDialog
      title="Add test money"
      isOpen={isOpen}
      onClose={onClose}
      mutation={funding}
      onSubmit={fund}
      submitLabel={amount ? `Add ${formatAmount(amount, form.getValues().currency)}` : 'Add'}
    >
      <AmountFields label="Amount" amount={form.getInputProps('amount')} currency={form.getInputProps('currency')} />
      <Text size="sm" role="status">
        {amount ? `${formatAmount(amount, form.getValues().currency)} of test money` : 'Test money'} will be added to
        the Transfer wallet in test mode. It is not real money, and live mode is not affected.
      </Text>
    </FormDialog>
  );
}
