import type { Delivery } from '@tillhook/sdk/session';

/**
 * The states of a delivery, the most urgent first. Pages, filters and charts use these words and no others.
 * See docs/decisions/dashboard.md, "A delivery has one word for each state on all pages".
 */
export const deliveryStates = {
  failed: { title: 'Failed', query: { status: ['failed'] } },
  retrying: { title: 'Retrying', query: { retrying: true } },
  pending: { title: 'Pending', query: { status: ['pending'], retrying: false } },
  delivered: { title: 'Delivered', query: { status: ['delivered'] } },
  skipped: { title: 'Skipped', query: { status: ['skipped'] } },
} as const satisfies Record<string, { title: string; query: StateQuery }>;

interface StateQuery {
  status?: readonly [Delivery['status']];
  retrying?: boolean;
}

export type DeliveryState = keyof typeof deliveryStates;

export const stateNames = Object.keys(deliveryStates) as DeliveryState[];

export function stateOf({ status, attemptCount }: Pick<Delivery, 'status' | 'attemptCount'>): DeliveryState {
  return status === 'pending' && attemptCount > 0 ? 'retrying' : status;
}

interface Counts extends Record<Delivery['status'], number> {
  retrying: number;
}

/** In counts of the service, `pending` includes `retrying`. */
export function countIn(state: DeliveryState, counts: Counts): number {
  return state === 'pending' ? counts.pending - counts.retrying : counts[state];
}
