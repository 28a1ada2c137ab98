import type { PaymentStatus } from '@tillhook/sdk/session';

/** The tabs of the list, each with the query of `listPayments` that finds its payments. */
export const paymentStates = {
  completed: { title: 'Completed', query: { status: ['completed'] } },
  pending: { title: 'Pending', query: { status: ['pending'] } },
  processing: { title: 'Processing', query: { status: ['processing'] } },
  failed: { title: 'Failed', query: { status: ['failed'] } },
  expired: { title: 'Expired', query: { status: ['expired'] } },
  refunded: { title: 'Refunded', query: { only: 'refunded' } },
  needs_review: { title: 'Needs review', query: { only: 'under_review' } },
} as const satisfies Record<string, { title: string; query: StateQuery }>;

interface StateQuery {
  status?: readonly [PaymentStatus];
  only?: 'refunded' | 'under_review';
}

export const stateNames = Object.keys(paymentStates) as (keyof typeof paymentStates)[];
