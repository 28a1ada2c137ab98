import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useFunding } from './use-funding.ts';

/** Adds test money to the Transfer wallet, so that transfers can be tried. */
export function FundDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { form, amount, asking, fund } = useFunding((_wallet, funded) => {
    onClose();
    void notify(`${formatAmount(funded.amount, funded.currency)} of test money added`);
    form.reset();
  });
  return (
    <FormDialog
      title="Add test money"
      isOpen={isOpen}
      onClose={onClose}
      asking={asking}
      onSubmit={fund}
      submitLabel="Add it"
    >
      <AmountFields label="Amount" amount={form.getInputProps('amount')} currency={form.getInputProps('currency')} />
      <Text size="sm" role="status">
        {amount ? `${formatAmount(amount, form.getValues().currency)} of test money` : 'Test money'} will be added to
        the Transfer wallet of test mode. It is not real money, and live mode does not change.
      </Text>
    </FormDialog>
  );
}
