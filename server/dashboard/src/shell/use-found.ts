import type { NavigateOptions } from '@tanstack/react-router';
import { type CallOptions, type Mode, NotFoundError, type TillhookSession } from '@tillhook/sdk/session';
import { id } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { stateOf } from '../deliveries/delivery-states.ts';
import { formatAmount } from '../kit/amount.ts';
import { email, reference } from '../kit/filter-fields.ts';
import { isolated } from '../kit/locale.ts';
import { shortAddress } from '../webhooks/short-address.ts';

export interface FoundRecord {
  kind: 'payment' | 'transfer' | 'refund' | 'delivery' | 'event' | 'endpoint';
  label: string;
  description: string;
  page: NavigateOptions;
}

interface Found {
  records: readonly FoundRecord[];
  isSearching: boolean;
  error: Error | null;
}

interface Search {
  tillhook: TillhookSession;
  options: CallOptions;
  mode: Mode;
}

/**
 * The format of the text decides what is searched for: an email, an id or a reference. A reference may look like an id,
 * so an id is also searched for as a reference.
 */
export function useFound(query: string): Found {
  const mode = useMode();
  const wantedId = id(query);
  const isEmail = email(query) !== undefined;
  const isReference = reference(query) !== undefined;
  const { data, error, isFetching } = useRead<FoundRecord[]>({
    key: ['found', query],
    read: async (tillhook, options) => {
      const search = { tillhook, options, mode };
      const searches = [
        ...(isEmail || isReference
          ? [findPayments(search, isEmail ? { customerEmail: query } : { reference: query })]
          : []),
        ...(isReference && !isEmail ? [findTransfer(search, query), findRefund(search, query)] : []),
        ...(wantedId
          ? [findDelivery(search, wantedId), findEvent(search, wantedId), findEndpoint(search, wantedId)]
          : []),
      ];
      return (await Promise.all(searches)).flat();
    },
    isEnabled: isEmail || isReference || wantedId !== undefined,
  });
  return { records: data ?? [], isSearching: isFetching, error };
}

async function findPayments(
  { tillhook, options, mode }: Search,
  query: { customerEmail: string } | { reference: string },
): Promise<FoundRecord[]> {
  const { payments } = await tillhook.payments.list({ ...query, limit: 5 }, options);
  return payments.map((payment) => ({
    kind: 'payment',
    label: payment.reference,
    description: `${formatAmount(payment.amount, payment.currency)}, ${payment.status}, ${isolated(payment.customerEmail)}`,
    page: { to: '/$mode/payments/$reference', params: { mode, reference: payment.reference } },
  }));
}

async function findTransfer({ tillhook, options, mode }: Search, wanted: string): Promise<FoundRecord[]> {
  const { transfers } = await tillhook.transfers.list({ reference: wanted, limit: 1 }, options);
  return transfers.map(({ amount, currency, status, recipient }) => ({
    kind: 'transfer',
    label: wanted,
    description: `Transfer of ${formatAmount(amount, currency)}, ${status}, to ${isolated(recipient.name)}`,
    page: { to: '/$mode/transfers/$reference', params: { mode, reference: wanted } },
  }));
}

async function findRefund({ tillhook, options, mode }: Search, wanted: string): Promise<FoundRecord[]> {
  const refund = await tillhook.refunds.get(wanted, options).catch(nullIfNotFound);
  if (!refund) return [];
  const { amount, currency, status, paymentReference } = refund;
  return [
    {
      kind: 'refund',
      label: wanted,
      description: `Refund of ${formatAmount(amount, currency)}, ${status}, of ${paymentReference}`,
      page: { to: '/$mode/payments/$reference', params: { mode, reference: paymentReference } },
    },
  ];
}

async function findDelivery({ tillhook, options, mode }: Search, wanted: string): Promise<FoundRecord[]> {
  const delivery = await tillhook.deliveries.get(wanted, options).catch(nullIfNotFound);
  if (!delivery) return [];
  return [
    {
      kind: 'delivery',
      label: `Delivery of ${delivery.event}`,
      description: `${stateOf(delivery)}, ${isolated(delivery.url)}`,
      page: { to: '/$mode/deliveries/$id', params: { mode, id: wanted } },
    },
  ];
}

async function findEvent({ tillhook, options, mode }: Search, wanted: string): Promise<FoundRecord[]> {
  const event = await tillhook.events.get(wanted, options).catch(nullIfNotFound);
  if (!event) return [];
  return [
    {
      kind: 'event',
      label: `Event ${event.event}`,
      description: event.reference ?? 'about no record',
      page: { to: '/$mode/events/$id', params: { mode, id: wanted } },
    },
  ];
}

async function findEndpoint({ tillhook, options, mode }: Search, wanted: string): Promise<FoundRecord[]> {
  const endpoint = await tillhook.webhookEndpoints.get(wanted, options).catch(nullIfNotFound);
  if (!endpoint) return [];
  return [
    {
      kind: 'endpoint',
      label: 'Webhook endpoint',
      description: shortAddress(endpoint.url),
      page: { to: '/$mode/webhooks/$id', params: { mode, id: wanted } },
    },
  ];
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
