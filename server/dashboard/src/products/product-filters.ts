import { oneOf, page, searchOf } from '../app/search.ts';

export const productStatuses = ['active', 'archived'] as const;

export const productFilters = searchOf({ status: oneOf(productStatuses), page });
