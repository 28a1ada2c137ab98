import type { DeliveryDetail, Event, Refund } from '@tillhook/openapi';
import type { Mode } from '../credentials.ts';
import type { Checkout } from './checkout.ts';
import type { KnownEndpoint } from './endpoint.ts';
import { createRecentRecords, type RecentRecords } from './recent-records.ts';

/** Everything that the mock remembers of one mode. */
export interface Remembered {
  checkouts: RecentRecords<Checkout>;
  refunds: RecentRecords<Refund>;
  endpoints: RecentRecords<KnownEndpoint>;
  /** So that they are missing, and not examples again. */
  removedEndpointIds: RecentRecords<string>;
  events: RecentRecords<Event>;
  deliveries: RecentRecords<DeliveryDetail>;
}

/** Test and live mode share nothing. The mock knows no merchants, so all keys of a mode share everything. */
export function createRemembered(): Record<Mode, Remembered> {
  return { test: nothingYet(), live: nothingYet() };
}

function nothingYet(): Remembered {
  return {
    checkouts: createRecentRecords(),
    refunds: createRecentRecords(),
    endpoints: createRecentRecords(),
    removedEndpointIds: createRecentRecords(),
    events: createRecentRecords(),
    deliveries: createRecentRecords(),
  };
}
