import { oneOf, searchOf } from '../app/search.ts';

export const spans = ['1', '7', '30', '90'] as const;

/** When the URL has no `days`, Home shows `usualDays` of `overview-read.ts`. */
export const homeSearch = searchOf({ days: oneOf(spans) });
