import { Button, Group, Stack, Text } from '@mantine/core';
import type { OperatorTransfer } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useRead } from '../app/use-read.ts';
import { Copy } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { type Proof, ProofDialog } from '../kit/proof-dialog.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { DecideTransferDialog, type Decision } from './decide-transfer-dialog.tsx';

export function TransferDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const [decision, setDecision] = useState<Decision | null>(null);
  const transfer = useRead({
    key: ['operator', 'transfer', id],
    read: (tillhook, options) => tillhook.operator.getTransfer(id, options),
  });
  if (decision && transfer.data) {
    return <DecideTransferDialog {...transfer.data} decision={decision} onClose={() => setDecision(null)} />;
  }
  return (
    <Dialog opened onClose={onClose} title="Transfer" size="lg">
      <Loaded read={transfer}>
        {(value) => (
          <Stack gap="md">
            <TransferFields {...value} />
            <Decisions {...value} onDecide={setDecision} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}

function TransferFields({ merchant, transfer }: OperatorTransfer): ReactNode {
  const { recipient, failureReason } = transfer;
  return (
    <FieldList
      fields={[
        ['Amount', <Money key="amount" {...transfer} by="code" />],
        ['Status', <StatusBadge key="status" status={transfer.status} />],
        ['Merchant', <bdi key="merchant">{merchant.name}</bdi>],
        ['Reference', <Copy key="reference" value={transfer.reference} what="reference" />],
        ['Recipient', <bdi key="recipient">{recipient.name}</bdi>],
        ['Bank', recipient.bankCode],
        ['Account', <AccountNumber key="account" id={transfer.id} last4={recipient.accountNumberLast4} />],
        ['Narration', transfer.narration && <bdi key="narration">{transfer.narration}</bdi>],
        ['Failure reason', failureReason && <bdi key="reason">{failureReason}</bdi>],
        ['Created', <ExactMoment key="created" at={transfer.createdAt} />],
      ]}
    />
  );
}

/** Test transfers settle without an operator. The status of a failed or reversed transfer is final. */
function Decisions({ transfer, onDecide }: OperatorTransfer & { onDecide: (decision: Decision) => void }): ReactNode {
  const { status, mode } = transfer;
  if (mode === 'test') {
    return (
      <Text size="sm" c="dimmed">
        Transfers in test mode settle automatically.
      </Text>
    );
  }
  const waits = status === 'pending' || status === 'processing';
  return (
    <Group justify="flex-end" gap="xs">
      {waits && (
        <>
          <Button variant="default" onClick={() => onDecide('fail')}>
            Mark as failed
          </Button>
          <Button onClick={() => onDecide('settle')}>Mark as completed</Button>
        </>
      )}
      {status === 'completed' && (
        <Button variant="default" onClick={() => onDecide('reverse')}>
          Mark as reversed
        </Button>
      )}
    </Group>
  );
}

/** The whole account number is shown after the user has entered the password. */
export function AccountNumber({ id, last4 }: { id: string; last4: string }): ReactNode {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [revealed, setRevealed] = useState<{ accountNumber: string | null } | null>(null);
  const prove = useProof();
  const revealing = useServiceMutation({
    mutate: async (tillhook, proof: Proof) => tillhook.operator.revealAccountNumber(id, await prove(tillhook, proof)),
    isRepeatable: false,
    onAnswer: ({ accountNumber }) => {
      setRevealed({ accountNumber });
      setIsDialogOpen(false);
    },
  });
  const close = () => {
    revealing.reset();
    setIsDialogOpen(false);
  };
  if (revealed?.accountNumber) return <Copy value={revealed.accountNumber} what="account number" />;
  if (revealed) return 'The number is no longer stored';
  return (
    <Group gap="xs">
      •••• {last4}
      <Button size="compact-xs" variant="default" onClick={() => setIsDialogOpen(true)}>
        Show all digits
      </Button>
      {isDialogOpen && (
        <ProofDialog title="Show account number" submitLabel="Show number" mutation={revealing} onClose={close}>
          Confirm your password. The merchant’s audit log records that an operator viewed the number.
        </ProofDialog>
      )}
    </Group>
  );
}
