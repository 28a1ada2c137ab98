import type { PaymentLink } from '@tillhook/sdk/session';
import { oneOf, page, searchOf, text } from '../app/search.ts';
import { order } from '../kit/filter-values.ts';

/** The tabs of the list. */
export const linkStates = {
  active: { title: 'Active' },
  stopped: { title: 'Stopped' },
  expired: { title: 'Expired' },
  limit_reached: { title: 'Limit reached' },
} as const satisfies Partial<Record<PaymentLink['status'], { title: string }>>;

const stateNames = Object.keys(linkStates) as (keyof typeof linkStates)[];

export const linkFilters = searchOf({ search: text(), status: oneOf(stateNames), order, page });

/** The page of one link has the pages of its payments. */
export const linkSearch = searchOf({ page });
