import { oneOf, searchOf } from '../app/search.ts';

export const accountTabs = ['sign-in', 'sessions', 'notifications', 'profile'] as const;

export const accountSearch = searchOf({ tab: oneOf(accountTabs) });
