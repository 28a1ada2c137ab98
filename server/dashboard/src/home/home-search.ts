import { oneOf, searchOf } from '../app/search.ts';

export const spans = ['1', '7', '30', '90'] as const;

/**
 * The number of days that Home shows. When the address does not name it, Home shows `usualDays` of
 * `overview-read.ts`.
 */
export const homeSearch = searchOf({ days: oneOf(spans) });
