import { oneOf, searchOf } from '../app/search.ts';

/** When the URL names no tab, the first tab is shown. */
export const endpointTabs = ['deliveries', 'secret', 'code'] as const;

export const endpointSearch = searchOf({ tab: oneOf(endpointTabs) });
