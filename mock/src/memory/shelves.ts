import type { DeliveryDetail, Event, Refund } from '@tillhook/openapi';
import type { Mode } from '../credentials.ts';
import type { Checkout } from './checkout.ts';
import type { KnownEndpoint } from './endpoint.ts';
import { createShelf, type Shelf } from './shelf.ts';

/** Everything that the mock remembers of one mode. */
export interface Shelves {
  checkouts: Shelf<Checkout>;
  refunds: Shelf<Refund>;
  endpoints: Shelf<KnownEndpoint>;
  events: Shelf<Event>;
  deliveries: Shelf<DeliveryDetail>;
}

/** Test and live mode share nothing. The mock knows no merchants, so all keys of a mode share everything. */
export function createShelves(): Record<Mode, Shelves> {
  return { test: emptyShelves(), live: emptyShelves() };
}

function emptyShelves(): Shelves {
  return {
    checkouts: createShelf(),
    refunds: createShelf(),
    endpoints: createShelf(),
    events: createShelf(),
    deliveries: createShelf(),
  };
}
