import { oneOf, searchOf } from '../app/search.ts';

/** The tabs of an endpoint's page. The first one is shown when the address names none. */
export const endpointTabs = ['deliveries', 'secret', 'code'] as const;

export const endpointSearch = searchOf({ tab: oneOf(endpointTabs) });
