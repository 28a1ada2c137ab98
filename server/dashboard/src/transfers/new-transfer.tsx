import { Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { TillhookError, type Transfer, type TransferRequest, type Wallet } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { TransferReview, useReview } from './transfer-review.tsx';
import { TopUpLink, TransferSummary } from './transfer-summary.tsx';
import { emptyTransfer, requestOf, type TypedTransfer, useTransferForm } from './use-transfer-form.ts';

export function NewTransfer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const mode = useMode();
  const { merchant } = useSession();
  const navigate = useNavigate();
  const form = useTransferForm();
  const wallets = useRead({
    key: ['wallets'],
    read: (tillhook, options) => tillhook.wallets.list({}, options),
    isLive: true,
    isEnabled: isOpen,
  });
  const sending = useServiceMutation({
    mutate: (tillhook, input: TransferRequest, options) => tillhook.transfers.create(input, options),
    changes: ['transfers', 'wallets', 'events'],
    onAnswer: ({ reference }: Transfer) => {
      onClose();
      form.setValues(emptyTransfer(merchant.currency));
      void navigate({ to: '/$mode/transfers/$reference', params: { mode, reference } });
    },
  });
  useFieldErrors(form, sending.error, errorSentences);
  const isPoor = codeOf(sending.error) === 'insufficient_funds';
  // Once the balance has changed, the service's refusal for insufficient funds is outdated.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the balance changes.
  useEffect(() => {
    if (isPoor) form.clearFieldError('amount');
  }, [wallets.data]);
  const review = useReview(sending);
  const isReview = review.step === 'review';
  const own = transferWallets(wallets.data?.wallets ?? []);
  const currencies = [...new Set([merchant.currency, ...own.map(({ currency }) => currency)])];
  return (
    <FormDialog
      title="Send money"
      isOpen={isOpen}
      onClose={onClose}
      mutation={sending}
      isErrorShown={codeOf(sending.error) in errorSentences}
      onSubmit={form.onSubmit((values) => (isReview ? sending.mutate(requestOf(values)) : review.next()))}
      submitLabel={isReview ? sendLabel(form.getValues()) : 'Review'}
      isWaiting={!review.isReady}
      needs="payout_processor"
      {...(isReview && { secondary: { label: 'Back', onClick: review.back } })}
    >
      {isReview && <TransferReview typed={form.getValues()} />}
      {/* The fields stay on the page, so that they keep their content and errors. */}
      <Stack gap="sm" display={isReview ? 'none' : undefined}>
        <TransferFields form={form} currencies={currencies} />
      </Stack>
      <Loaded read={wallets}>
        {(read) => (
          <TransferSummary
            typed={form.getValues()}
            wallets={transferWallets(read.wallets)}
            isRefused={isPoor && 'amount' in form.errors}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}

function sendLabel({ amount, currency, recipient }: TypedTransfer): string {
  return `Send ${formatAmount(readAmount(amount, currency) ?? 0, currency)} to ${recipient.name.trim()}`;
}

interface FieldsProps {
  form: ReturnType<typeof useTransferForm>;
  currencies: readonly string[];
}

function TransferFields({ form, currencies }: FieldsProps): ReactNode {
  return (
    <>
      <AmountFields
        label="Amount"
        amount={form.getInputProps('amount')}
        currency={form.getInputProps('currency')}
        currencies={currencies}
      />
      <RecipientFields form={form} isTest={useMode() === 'test'} />
      <TextInput
        {...form.getInputProps('narration')}
        label="Narration"
        description="Optional. Shown on the recipient’s bank statement."
        maxLength={140}
        dir="auto"
      />
      <TextInput
        {...form.getInputProps('reference')}
        label="Reference"
        description="Your own unique reference for this transfer."
        maxLength={64}
      />
    </>
  );
}

function transferWallets(wallets: readonly Wallet[]): Wallet[] {
  return wallets.filter(({ kind }) => kind === 'transfer');
}

function RecipientFields({ form, isTest }: { form: ReturnType<typeof useTransferForm>; isTest: boolean }): ReactNode {
  return (
    <>
      <TextInput
        {...form.getInputProps('recipient.name')}
        label="Recipient’s name"
        autoComplete="off"
        maxLength={140}
        dir="auto"
      />
      <TextInput
        {...form.getInputProps('recipient.accountNumber')}
        label="Account number or IBAN"
        description={isTest && 'In test mode 0000000000 completes, 0000000001 fails, 0000000003 is reversed.'}
        autoComplete="off"
        maxLength={50}
      />
      <TextInput {...form.getInputProps('recipient.bankCode')} label="Bank code" autoComplete="off" maxLength={20} />
    </>
  );
}

function codeOf(error: Error | null): string {
  return (error instanceof TillhookError && error.code) || '';
}

/** The messages that the form shows below a field for error codes of the API that come without a field name. */
const errorSentences = {
  insufficient_funds: {
    amount: (
      <>
        Your Transfer wallet balance is too low. <TopUpLink />
      </>
    ),
  },
  duplicate_reference: {
    reference: 'A transfer with this reference already exists. Check it before you send another.',
  },
  invalid_recipient: { 'recipient.bankCode': 'Unknown bank code.' },
};
