import { Text, Textarea } from '@mantine/core';
import type { OperatorTransfer } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { fieldProblems } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { isSameAmount, TypedAmount } from './typed-amount.tsx';

export type Decision = 'settle' | 'fail' | 'reverse';

const words: Record<Decision, { title: string; effect: string; button: string; done: string }> = {
  settle: {
    title: 'Mark as completed',
    effect: 'Completes the transfer and notifies the merchant. Do this once the bank has confirmed it.',
    button: 'Complete transfer',
    done: 'Transfer completed.',
  },
  fail: {
    title: 'Mark as failed',
    effect: 'Returns the money to the merchant’s wallet and notifies the merchant.',
    button: 'Fail transfer',
    done: 'Transfer failed. The money is back in the wallet.',
  },
  reverse: {
    title: 'Mark as reversed',
    effect: 'Reverses the completed transfer: the amount goes back to the merchant, who is notified.',
    button: 'Reverse transfer',
    done: 'Transfer reversed.',
  },
};

interface DecideTransferDialogProps extends OperatorTransfer {
  decision: Decision;
  onClose: () => void;
}

/** The service answers a second decision about the transfer with 409, so a retry after a lost response is safe. */
export function DecideTransferDialog({ merchant, transfer, decision, onClose }: DecideTransferDialogProps): ReactNode {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState({ amount: false, reason: false });
  const { title, effect, button, done } = words[decision];
  const needsReason = decision !== 'settle';
  const deciding = useServiceMutation({
    mutate: ({ operator }, body: { reason: string }) => {
      if (decision === 'settle') return operator.settleTransfer(transfer.id);
      return decision === 'fail'
        ? operator.failTransfer(transfer.id, body)
        : operator.reverseTransfer(transfer.id, body);
    },
    isRepeatable: false,
    changes: ['operator', 'transfers', 'wallets'],
    onAnswer: () => {
      void notify(done);
      onClose();
    },
  });
  const submit = () => {
    const found = { amount: !isSameAmount(amount, transfer), reason: needsReason && reason.trim() === '' };
    setProblems(found);
    if (!found.amount && !found.reason) deciding.mutate({ reason: reason.trim() });
  };
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      mutation={deciding}
      onSubmit={submit}
      submitLabel={button}
      isDangerous={needsReason}
      lostWords="It may have been carried out. Close this dialog and check the status of the transfer."
    >
      <Text size="sm">
        {effect} The transfer is from <bdi>{merchant.name}</bdi> to <bdi>{transfer.recipient.name}</bdi>.
      </Text>
      {needsReason && (
        <Textarea
          label="Reason"
          description="The merchant sees it."
          maxLength={200}
          autosize
          minRows={2}
          dir="auto"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          error={problems.reason ? 'Enter a reason.' : fieldProblems(deciding.error).reason}
        />
      )}
      <TypedAmount
        amount={transfer.amount}
        currency={transfer.currency}
        typed={amount}
        onChange={setAmount}
        isWrong={problems.amount}
      />
    </FormDialog>
  );
}
