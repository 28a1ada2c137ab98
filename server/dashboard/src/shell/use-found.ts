import type { NavigateOptions } from '@tanstack/react-router';
import {
  type CallOptions,
  type Mode,
  NotFoundError,
  type SearchGroup,
  type SearchHit,
  type TillhookSession,
} from '@tillhook/sdk/session';
import { basePath } from '../app/base.ts';
import { id } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { stateOf } from '../deliveries/delivery-states.ts';
import { formatAmount } from '../kit/amount.ts';
import { isolated } from '../kit/locale.ts';
import { statusWord } from '../kit/status-words.ts';
import { shortAddress } from '../webhooks/short-address.ts';

export type FoundKind = keyof typeof titles;

export interface FoundRecord {
  /** Distinguishes the records of a group. */
  key: string;
  label: string;
  description: string;
  page: NavigateOptions;
}

export interface FoundGroup {
  kind: FoundKind;
  /** Says how many more there are, as in `Payments: 5 of 12`. */
  title: string;
  records: readonly FoundRecord[];
  /** Opens the list with all records that were found; null if all of them are here, or the kind has no such list. */
  all: { label: string; page: NavigateOptions } | null;
}

export interface FoundDoc {
  title: string;
  within: string;
  href: string;
}

interface Found {
  groups: readonly FoundGroup[];
  docs: readonly FoundDoc[];
  isSearching: boolean;
  error: Error | null;
}

const titles = {
  payment: 'Payments',
  customer: 'Customers',
  refund: 'Refunds',
  transfer: 'Transfers',
  product: 'Products',
  payment_link: 'Payment links',
  endpoint: 'Endpoints',
  event: 'Events',
  delivery: 'Deliveries',
};

const maxQuery = 200;

export function useFound(query: string): Found {
  const mode = useMode();
  const wantedId = id(query);
  const q = query.slice(0, maxQuery);
  const records = useRead<FoundGroup[]>({
    key: ['found', q],
    read: async (tillhook, options) => {
      const [{ groups }, deliveries] = await Promise.all([
        tillhook.search.find({ q }, options),
        wantedId ? findDelivery(tillhook, options, { mode, wanted: wantedId }) : [],
      ]);
      return [...groups.flatMap((group) => groupOf(mode, q, group)), ...deliveries];
    },
    isEnabled: q !== '',
  });
  const docs = useRead<FoundDoc[]>({
    key: ['found docs', q],
    read: (_, { signal }) => findDocs(q, signal),
    isEnabled: q.length > 2 && wantedId === undefined,
  });
  return {
    groups: records.data ?? [],
    // Pages of the documentation arrive first, but Enter opens a record if one matches.
    docs: records.isFetching ? [] : (docs.data ?? []),
    isSearching: records.isFetching,
    error: records.error,
  };
}

/** The page of a delivery says more of its state than the search does, so a delivery is read for itself. */
function groupOf(mode: Mode, q: string, { kind, hits, total, hasMore }: SearchGroup): FoundGroup[] {
  if (!isKnown(kind) || kind === 'delivery') return [];
  const shown = total > hits.length ? `: ${hits.length} of ${hasMore ? `more than ${total}` : total}` : '';
  const list = lists[kind];
  const all =
    list && total > hits.length ? { label: hasMore ? list.all : list.counted(total), page: list.page(mode, q) } : null;
  return [{ kind, title: `${titles[kind]}${shown}`, records: hits.map((hit) => recordOf[kind](hit, mode)), all }];
}

interface List {
  counted: (total: number) => string;
  /** There are more than the search counts. */
  all: string;
  page: (mode: Mode, search: string) => NavigateOptions;
}

const lists: { [Kind in FoundKind]?: List } = {
  payment: {
    counted: (total) => `See all ${total} payments`,
    all: 'See all payments that match',
    page: (mode, search) => ({ to: '/$mode/payments', params: { mode }, search: { search } }),
  },
  customer: {
    counted: (total) => `See all ${total} customers`,
    all: 'See all customers that match',
    page: (mode, search) => ({ to: '/$mode/customers', params: { mode }, search: { search } }),
  },
  refund: {
    counted: (total) => `See all ${total} refunds`,
    all: 'See all refunds that match',
    page: (mode, search) => ({ to: '/$mode/refunds', params: { mode }, search: { search } }),
  },
  transfer: {
    counted: (total) => `See all ${total} transfers`,
    all: 'See all transfers that match',
    page: (mode, search) => ({ to: '/$mode/transfers', params: { mode }, search: { search } }),
  },
  product: {
    counted: (total) => `See all ${total} products`,
    all: 'See all products that match',
    page: (mode, search) => ({ to: '/$mode/products', params: { mode }, search: { search } }),
  },
  payment_link: {
    counted: (total) => `See all ${total} payment links`,
    all: 'See all payment links that match',
    page: (mode, search) => ({ to: '/$mode/payment-links', params: { mode }, search: { search } }),
  },
};

const isKnown = (kind: string): kind is FoundKind => kind in titles;

type RecordOf = (hit: SearchHit, mode: Mode) => FoundRecord;

const recordOf: Record<Exclude<FoundKind, 'delivery'>, RecordOf> = {
  payment: ({ reference, name, about, ...hit }, mode) => ({
    key: reference ?? '',
    label: reference ?? '',
    description: [`${amountOf(hit)}, ${statusWord(hit.status ?? '')}, ${isolated(name)}`, about && isolated(about)]
      .filter(Boolean)
      .join(', '),
    page: { to: '/$mode/payments/$reference', params: { mode, reference: reference ?? '' } },
  }),
  customer: ({ id: customerId, name }, mode) => ({
    key: customerId ?? '',
    label: name,
    description: 'Customer',
    page: { to: '/$mode/customers/$id', params: { mode, id: customerId ?? '' } },
  }),
  refund: ({ reference, name, ...hit }, mode) => ({
    key: reference ?? '',
    label: reference ?? '',
    description: `Refund of ${amountOf(hit)}, ${statusWord(hit.status ?? '')}, of ${name}`,
    page: { to: '/$mode/payments/$reference', params: { mode, reference: name } },
  }),
  transfer: ({ reference, name, ...hit }, mode) => ({
    key: reference ?? '',
    label: reference ?? '',
    description: `Transfer of ${amountOf(hit)}, ${statusWord(hit.status ?? '')}, to ${isolated(name)}`,
    page: { to: '/$mode/transfers/$reference', params: { mode, reference: reference ?? '' } },
  }),
  product: ({ name, ...hit }, mode) => ({
    key: hit.id ?? '',
    label: name,
    description: `${amountOf(hit)}, ${statusWord(hit.status ?? '')}`,
    page: { to: '/$mode/products', params: { mode }, search: { search: name } },
  }),
  payment_link: ({ name, ...hit }, mode) => ({
    key: hit.id ?? '',
    label: name,
    description: [amountOf(hit), statusWord(hit.status ?? ''), hit.reference && isolated(hit.reference)]
      .filter(Boolean)
      .join(', '),
    page: { to: '/$mode/payment-links/$id', params: { mode, id: hit.id ?? '' } },
  }),
  endpoint: ({ id: endpointId, name }, mode) => ({
    key: endpointId ?? '',
    label: 'Webhook endpoint',
    description: shortAddress(name),
    page: { to: '/$mode/webhooks/$id', params: { mode, id: endpointId ?? '' } },
  }),
  event: ({ id: eventId, name, reference }, mode) => ({
    key: eventId ?? '',
    label: `Event ${name}`,
    description: reference ?? 'No record',
    page: { to: '/$mode/events/$id', params: { mode, id: eventId ?? '' } },
  }),
};

function amountOf({ amount, currency }: Pick<SearchHit, 'amount' | 'currency'>): string {
  return amount === null || currency === null ? '' : formatAmount(amount, currency);
}

async function findDelivery(
  tillhook: TillhookSession,
  options: CallOptions,
  { mode, wanted }: { mode: Mode; wanted: string },
): Promise<FoundGroup[]> {
  const delivery = await tillhook.deliveries.get(wanted, options).catch(nullIfNotFound);
  if (!delivery) return [];
  const record: FoundRecord = {
    key: wanted,
    label: `Delivery of ${delivery.event}`,
    description: `${statusWord(stateOf(delivery))}, ${isolated(delivery.url)}`,
    page: { to: '/$mode/deliveries/$id', params: { mode, id: wanted } },
  };
  return [{ kind: 'delivery', title: titles.delivery, records: [record], all: null }];
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

const maxDocs = 3;

/** The search works without the documentation, which may be missing. */
async function findDocs(query: string, signal: AbortSignal | undefined): Promise<FoundDoc[]> {
  try {
    const response = await fetch(`${basePath}/docs/search.json?q=${encodeURIComponent(query)}`, {
      signal: signal ?? null,
    });
    const { found, isPartial } = await response.json();
    if (isPartial) return [];
    return found
      .slice(0, maxDocs)
      .map(({ address, title, within }: { address: string; title: string[]; within: string }) => ({
        title: title.join(''),
        within,
        href: `${basePath}/docs${address}`,
      }));
  } catch {
    return [];
  }
}
