import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TillhookError, type TopUpRequest, type Wallet } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../app/session.ts';
import { amountProblem, formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { newReference } from '../kit/new-reference.ts';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface TopUpDialogProps {
  wallets: readonly Wallet[];
  isOpen: boolean;
  onClose: () => void;
}

export function TopUpDialog({ wallets, isOpen, onClose }: TopUpDialogProps): ReactNode {
  const form = useTopUpForm();
  const resetForm = () => form.setValues({ amount: '', reference: newReference('top-up') });
  const moving = useServiceMutation({
    mutate: (tillhook, input: TopUpRequest, options) => tillhook.wallets.topUp(input, options),
    changes: ['wallets'],
    onAnswer: (_, { amount }) => {
      onClose();
      void notify(`${formatAmount(amount, form.getValues().currency)} moved to the Transfer wallet`);
      resetForm();
    },
  });
  // This effect must run before the effect that sets the errors, because changing a field's value clears its error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each error.
  useEffect(() => {
    if (moving.error instanceof TillhookError && moving.error.code === 'duplicate_reference') resetForm();
  }, [moving.error]);
  useFieldErrors(form, moving.error, errorSentences);
  const { amount: typed, currency } = form.getValues();
  const amount = readAmount(typed, currency) ?? 0;
  return (
    <FormDialog
      title="Top up Transfer wallet"
      isOpen={isOpen}
      onClose={onClose}
      mutation={moving}
      onSubmit={form.onSubmit((values) => moving.mutate({ ...values, amount }))}
      submitLabel={amount > 0 ? `Move ${formatAmount(amount, currency)}` : 'Move'}
      isErrorShown={moving.error instanceof TillhookError && (moving.error.code ?? '') in errorSentences}
    >
      <AmountFields
        label="Amount"
        amount={form.getInputProps('amount')}
        currency={form.getInputProps('currency')}
        currencies={[...new Set([currency, ...wallets.map((wallet) => wallet.currency)])]}
      />
      <Text size="sm" role="status">
        {words(form.errors.amount ? 0 : amount, currency, wallets)}
      </Text>
    </FormDialog>
  );
}

/** The reference stays until the top-up has succeeded: the service refuses a second top-up with the same reference. */
function useTopUpForm() {
  const { merchant } = useSession();
  return useForm({
    initialValues: { amount: '', currency: merchant.currency, reference: newReference('top-up') },
    validate: { amount: (typed, { currency }) => amountProblem(typed, currency) },
  });
}

function words(amount: number, currency: string, wallets: readonly Wallet[]): string {
  const held = (kind: Wallet['kind']) =>
    wallets.find((wallet) => wallet.kind === kind && wallet.currency === currency)?.available ?? 0;
  const [collection, transfer] = [held('collection'), held('transfer')];
  const has = `Your Collection wallet has ${formatAmount(collection, currency)}.`;
  if (amount === 0) return has;
  if (amount > collection)
    return `${has} That is ${formatAmount(amount - collection, currency)} less than you want to move.`;
  const [left, then] = [collection - amount, transfer + amount].map((sum) => formatAmount(sum, currency));
  return `${has} After moving ${formatAmount(amount, currency)}, ${left} stays there and the Transfer wallet has ${then}.`;
}

const errorSentences = {
  insufficient_funds: { amount: 'Your Collection wallet balance is too low.' },
  duplicate_reference: { amount: 'This top-up was already made. Check the statement before you make another.' },
};
