import type { DeliveryDetail, Event, PaymentLink, Product, Refund, Transfer, WalletEntry } from '@tillhook/openapi';
import type { Mode } from '../requests/credentials.ts';
import type { Checkout } from './checkout.ts';
import type { KnownEndpoint } from './known-endpoint.ts';

export interface KnownTransfer {
  transfer: Transfer;
  accountNumber: string;
  /** The time of the transfer's next change, in milliseconds since 1970; null after the last change. */
  changesAtMs: number | null;
}

export interface Remembered {
  checkouts: RecentRecords<Checkout>;
  refunds: RecentRecords<Refund>;
  transfers: RecentRecords<KnownTransfer>;
  paymentLinks: RecentRecords<PaymentLink>;
  products: RecentRecords<Product>;
  walletEntries: RecentRecords<WalletEntry>;
  endpoints: RecentRecords<KnownEndpoint>;
  events: RecentRecords<Event>;
  deliveries: RecentRecords<DeliveryDetail>;
}

/** Each mode has its own records, which all API keys of that mode share, because the mock has no merchants. */
export function createRemembered(): Record<Mode, Remembered> {
  return { test: nothingYet(), live: nothingYet() };
}

function nothingYet(): Remembered {
  return {
    checkouts: createRecentRecords(({ payment }) => payment.reference),
    refunds: createRecentRecords(({ reference }) => reference),
    transfers: createRecentRecords(({ transfer }) => transfer.reference),
    paymentLinks: createRecentRecords(({ id }) => id),
    products: createRecentRecords(({ id }) => id),
    walletEntries: createRecentRecords(({ id }) => id),
    endpoints: createRecentRecords(({ record }) => record.id),
    events: createRecentRecords(({ id }) => id),
    deliveries: createRecentRecords(({ id }) => id),
  };
}

const tables: Readonly<Record<string, keyof Remembered>> = {
  'payments/{reference}': 'checkouts',
  'refunds/{reference}': 'refunds',
  'transfers/{reference}': 'transfers',
  'payment-links/{id}': 'paymentLinks',
  'products/{id}': 'products',
  'merchant-webhooks/{id}': 'endpoints',
  'events/{id}': 'events',
  'webhook-deliveries/{id}': 'deliveries',
};

export function isRemembered(remembered: Remembered, place: string, name: string): boolean {
  const table = tables[place];
  return table !== undefined && remembered[table].named(name) !== undefined;
}

/** Remembered records, the newest first. Each record has a unique name, such as its reference. */
export interface RecentRecords<Item> {
  readonly items: readonly Item[];
  add(item: Item): void;
  remove(item: Item): void;
  named(name: unknown): Item | undefined;
}

/** Choice: 1,000 records of each kind and mode, so that the memory of a mock that runs for weeks stays limited. */
export const maxRemembered = 1_000;

export function createRecentRecords<Item>(nameOf: (item: Item) => string): RecentRecords<Item> {
  const items: Item[] = [];
  return {
    items,
    add(item) {
      items.unshift(item);
      if (items.length > maxRemembered) items.pop();
    },
    remove(item) {
      const place = items.indexOf(item);
      if (place >= 0) items.splice(place, 1);
    },
    named: (name) => items.find((item) => nameOf(item) === name),
  };
}
