import { oneOf, page, searchOf } from '../app/search.ts';

export const productStatuses = ['active', 'archived'] as const;

/** The search parameters of the list of products. */
export const productFilters = searchOf({ status: oneOf(productStatuses), page });
