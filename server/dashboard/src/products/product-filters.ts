import { oneOf, page, searchOf } from '../app/search.ts';

export const productStatuses = ['active', 'archived'] as const;

/** What the address of the list of products may hold. */
export const productFilters = searchOf({ status: oneOf(productStatuses), page });
