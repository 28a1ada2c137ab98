import { oneOf, page, searchOf, text } from '../app/search.ts';

export const productStatuses = ['active', 'archived'] as const;

export const productFilters = searchOf({ search: text(), status: oneOf(productStatuses), page });
