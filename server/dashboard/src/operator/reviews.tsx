import { Button, Group } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { Review, ReviewDecision } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { readable } from '../kit/status-words.ts';
import { CameIn } from './came-in.tsx';
import { ResolveReviewDialog } from './resolve-review-dialog.tsx';
import { movesNothing } from './review-words.ts';

interface Chosen {
  review: Review;
  as: ReviewDecision['as'];
}

export function Reviews(): ReactNode {
  const { page = 1 } = useSearch({ from: '/$mode/operator' });
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const query = paged({ page });
  const reviews = useRead({
    key: ['operator', 'reviews', query],
    read: (tillhook, options) => tillhook.operator.listReviews(query, options),
    keepsPrevious: true,
  });
  return (
    <>
      <RecordList
        name="reviews"
        label="Payments under review"
        read={reviews}
        listOf={({ reviews: payments, total }) => ({ rows: payments.flatMap(decisionsOf), total })}
        columns={[...columns, decide(setChosen)]}
        keyOf={({ payment, reason }) => `${payment.id} ${reason}`}
        empty={
          <Empty title="No payments under review">
            A payment appears here when the processor received a different amount or currency than requested, when the
            customer paid more than once or disputed the payment, or when the Collection wallet balance is too low for a
            refund made at the processor.
          </Empty>
        }
      />
      {chosen && <ResolveReviewDialog {...chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/**
 * A payment under review for several reasons has one row for each, because the operator decides on each reason
 * separately.
 */
function decisionsOf(review: Review): Review[] {
  return review.reasons.map((reason) => ({ ...review, reason }));
}

const reasons: Record<string, string> = {
  amount_mismatch: 'Different amount received',
  paid_late: 'Bank transfer received late',
  paid_twice: 'Paid more than once',
  refund_without_funds: 'Wallet balance too low for a refund',
  disputed: 'Disputed by the customer',
};

const columns: Column<Review>[] = [
  { title: 'Reference', cell: ({ payment }) => <bdi>{payment.reference}</bdi> },
  { title: 'Merchant', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
  { title: 'Reason', cell: ({ reason }) => reasons[reason ?? ''] ?? readable(reason ?? '') },
  { title: 'Requested', isNumber: true, isNarrow: true, cell: ({ payment }) => <Money {...payment} by="code" /> },
  { title: 'Received', isNumber: true, isNarrow: true, cell: ({ paid }) => <CameIn paid={paid} /> },
  { title: 'Created', isNarrow: true, cell: ({ payment }) => <Moment at={payment.createdAt} /> },
];

function decide(onChoose: (chosen: Chosen) => void): Column<Review> {
  return { title: 'Decide', isNarrow: true, cell: (review) => <Decisions review={review} onChoose={onChoose} /> };
}

function Decisions({ review, onChoose }: { review: Review; onChoose: (chosen: Chosen) => void }): ReactNode {
  const look = { size: 'compact-xs', variant: 'default' } as const;
  const isCompleted = review.payment.status === 'completed';
  if (movesNothing(review)) {
    // The decision repeats the payment's present status, so it only ends the review.
    return (
      <Button {...look} onClick={() => onChoose({ review, as: isCompleted ? 'completed' : 'failed' })}>
        Close review
      </Button>
    );
  }
  return (
    <Group gap={4} wrap="nowrap">
      <Button {...look} onClick={() => onChoose({ review, as: 'completed' })}>
        Complete
      </Button>
      {/* The service never fails a completed payment, so the operator can only return the second payment. */}
      {!isCompleted && (
        <Button {...look} onClick={() => onChoose({ review, as: 'failed' })}>
          Refuse
        </Button>
      )}
    </Group>
  );
}
