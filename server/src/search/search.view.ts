import type { SearchGroup, SearchHit, SearchResults } from '@tillhook/openapi';
import { amountInJson } from '../kit/money.ts';
import type { Findings, Found } from './search.service.ts';

const none = {
  id: null,
  reference: null,
  about: null,
  status: null,
  amount: null,
  currency: null,
  createdAt: null,
} satisfies Partial<SearchHit>;

interface Money {
  id: string;
  reference: string;
  status: string;
  amount: bigint;
  currency: string;
  createdAt: Date;
}

export function searchView(findings: Findings | null, now: Date): SearchResults {
  if (!findings) return { groups: [] };
  const { payments, customers, refunds, transfers, products, paymentLinks, endpoints, events, deliveries } = findings;
  const groups = [
    group('payment', payments, (payment) => moneyView(payment, payment.customerEmail, payment.description)),
    group('customer', customers, ({ id, email }) => ({ ...none, id, name: email })),
    group('refund', refunds, (refund) => moneyView(refund, refund.paymentReference, refund.reason)),
    group('transfer', transfers, (transfer) => moneyView(transfer, transfer.recipientName, transfer.narration)),
    group('product', products, ({ id, name, description = null, price, currency, isActive, createdAt }) => ({
      ...none,
      id,
      name,
      about: description,
      status: isActive ? 'active' : 'archived',
      amount: amountInJson(price),
      currency,
      createdAt: createdAt.toISOString(),
    })),
    group('payment_link', paymentLinks, (link) => ({
      id: link.id,
      reference: link.slug,
      name: link.name,
      about: link.description ?? null,
      status: link.statusAt(now),
      amount: link.amount == null ? null : amountInJson(link.amount),
      currency: link.currency,
      createdAt: link.createdAt.toISOString(),
    })),
    group('endpoint', endpoints, ({ id, url, isActive, createdAt }) => ({
      ...none,
      id,
      name: url,
      status: isActive ? 'active' : 'inactive',
      createdAt: createdAt.toISOString(),
    })),
    group('event', events, ({ id, name, reference = null, createdAt }) => ({
      ...none,
      id,
      reference,
      name,
      createdAt: createdAt.toISOString(),
    })),
    group('delivery', deliveries, ({ delivery: { id, status, createdAt }, event, endpoint }) => ({
      ...none,
      id,
      name: event.name,
      about: endpoint.url,
      status,
      createdAt: createdAt.toISOString(),
    })),
  ];
  return { groups: groups.filter(({ total }) => total > 0) };
}

function group<Hit>(
  kind: SearchGroup['kind'],
  { hits, total, hasMore }: Found<Hit>,
  view: (hit: Hit) => SearchHit,
): SearchGroup {
  return { kind, total, hasMore, hits: hits.map(view) };
}

function moneyView(
  { id, reference, status, amount, currency, createdAt }: Money,
  name: string,
  about: string | null = null,
): SearchHit {
  return {
    id,
    reference,
    name,
    about,
    status,
    amount: amountInJson(amount),
    currency,
    createdAt: createdAt.toISOString(),
  };
}
