import { oneOf, searchOf } from '../app/search.ts';

export const spans = ['1', '7', '30', '90'] as const;

/** How many days are looked at; a week without it. */
export const homeSearch = searchOf({ days: oneOf(spans) });
