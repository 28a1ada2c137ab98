import { Text } from '@mantine/core';
import type { PaymentAttempt } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Moment } from '../kit/moment.tsx';
import { StatusBadge, type Tone } from '../kit/status-badge.tsx';
import { cardWords } from './card-words.ts';

export function AttemptsTable({ attempts }: { attempts: readonly PaymentAttempt[] }): ReactNode {
  if (attempts.length > 0) {
    return <DataTable label="Attempts" columns={columns} rows={attempts} keyOf={({ number }) => String(number)} />;
  }
  return (
    <Text size="sm" c="dimmed">
      The customer has not tried to pay.
    </Text>
  );
}

const tones: Record<PaymentAttempt['outcome'], Tone> = {
  open: 'waiting',
  paid: 'good',
  declined: 'bad',
  cancelled: 'plain',
};

const columns: Column<PaymentAttempt>[] = [
  { title: 'Card', cell: ({ card }) => (card ? cardWords(card) : 'Not known yet') },
  {
    title: 'Outcome',
    isNarrow: true,
    cell: ({ outcome }) => <StatusBadge status={outcome} tone={tones[outcome]} />,
  },
  { title: 'Why', cell: reasonOf },
  { title: '3-D Secure', isNarrow: true, cell: ({ threeDSecure }) => askedWords(threeDSecure) },
  { title: 'Started', isNarrow: true, cell: ({ startedAt }) => <Moment at={startedAt} /> },
];

/** Returns null when the attempt was not declined. */
export function reasonOf({ failureCode, failureMessage }: Pick<PaymentAttempt, 'failureCode' | 'failureMessage'>) {
  if (failureMessage === null) return failureCode;
  return failureCode === null ? failureMessage : `${failureMessage} (${failureCode})`;
}

function askedWords(threeDSecure: boolean | null): string {
  if (threeDSecure === null) return 'Not known';
  return threeDSecure ? 'Asked' : 'Not asked';
}
