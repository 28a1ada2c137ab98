import { oneOf, searchOf } from '../app/search.ts';

/** The parts of an endpoint's page. The first is shown when the address names none. */
export const endpointTabs = ['deliveries', 'secret', 'code'] as const;

export const endpointSearch = searchOf({ tab: oneOf(endpointTabs) });
