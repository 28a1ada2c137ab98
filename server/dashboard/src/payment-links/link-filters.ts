import { oneOf, page, searchOf } from '../app/search.ts';

export const linkStatuses = ['active', 'stopped'] as const;

export const linkFilters = searchOf({ status: oneOf(linkStatuses), page });

/** The page of one link has the pages of its payments. */
export const linkSearch = searchOf({ page });
