/**
 * Searches the merchant's records of one mode for a part of their texts.
 * See docs/decisions/figures.md, "A search reads the newest records first, then an index of trigrams".
 */
import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Context, WithPrincipal } from '../context.ts';
import { isId } from '../kit/ids.ts';
import { customerIdOf, findCustomers } from '../money/customers/customers.service.ts';
import { PaymentLink } from '../money/payment-links/payment-link.entity.ts';
import { Payment } from '../money/payments/payment.entity.ts';
import { Product } from '../money/products/product.entity.ts';
import { Refund } from '../money/refunds/refund.entity.ts';
import { Transfer } from '../money/transfers/transfer.entity.ts';
import { searchedRows } from '../platform/database/statement.ts';
import { matching } from '../text-search/search-terms.ts';
import { findIds, findShortIds, soughtIn } from '../text-search/text-search.service.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/endpoints/endpoints.service.ts';
import { findDelivery, type LoggedDelivery } from '../webhooks/log/deliveries.service.ts';
import { Event } from '../webhooks/queue/event.entity.ts';

export const maxHits = 5;
export const maxTotal = 100;

export interface Found<Hit> {
  hits: Hit[];
  total: number;
  hasMore: boolean;
}

interface FoundCustomer {
  id: string;
  email: string;
}

export interface Findings {
  payments: Found<Payment>;
  customers: Found<FoundCustomer>;
  refunds: Found<Refund>;
  transfers: Found<Transfer>;
  products: Found<Product>;
  paymentLinks: Found<PaymentLink>;
  endpoints: Found<WebhookEndpoint>;
  events: Found<Event>;
  deliveries: Found<LoggedDelivery>;
}

type Searching = Context & WithPrincipal;

const limit = maxTotal + 1;

/** `depth` is the number of newest records that are read one by one; the usual number when omitted. */
export async function search(
  context: Searching,
  typed: string,
  { depth }: { depth?: number } = {},
): Promise<Findings | null> {
  const sought = soughtIn(typed);
  if (!sought) return null;
  const { merchantId, mode } = context.principal;
  const { wanted, terms } = sought;
  const bounds = { limit, ...(depth && { depth }) };
  const paymentIds = await findIds(context, 'payment', sought, bounds);
  const customers = await findCustomers(context, sought, bounds);
  return {
    payments: await load(context, Payment, paymentIds),
    customers: counted(customers.length > 0 ? customers : await customersOf(context, paymentIds, terms)),
    refunds: await load(context, Refund, await findIds(context, 'refund', sought, bounds)),
    transfers: await load(context, Transfer, await findIds(context, 'transfer', sought, bounds)),
    products: await load(context, Product, await findShortIds(context, 'product', sought, bounds)),
    paymentLinks: await load(context, PaymentLink, await findShortIds(context, 'paymentLink', sought, bounds)),
    endpoints: await findEndpoints(context, wanted),
    events: atMostOne(isId(wanted) ? await context.em.findOne(Event, { id: wanted, merchantId, mode }) : null),
    deliveries: atMostOne(isId(wanted) ? await findDelivery(context, wanted) : null),
  };
}

async function load<Row extends { id: string }>(
  { em, principal }: Searching,
  entity: EntityClass<Row>,
  ids: string[],
): Promise<Found<Row>> {
  const { merchantId, mode } = principal;
  const where = { merchantId, mode, id: ids.slice(0, maxHits) } as object as FilterQuery<Row>;
  const rows = ids.length === 0 ? [] : await em.find(entity, where, { orderBy: { id: 'desc' } as object });
  return { ...counted(ids), hits: rows as Row[] };
}

/** The customers of the payments that were found by several words, one of which is a part of the address. */
async function customersOf(context: Searching, paymentIds: string[], terms: string[][]): Promise<FoundCustomer[]> {
  if (paymentIds.length === 0) return [];
  const { merchantId, mode } = context.principal;
  return searchedRows<FoundCustomer>(context)`
    select ${customerIdOf(context.principal, sql`found.email`)} as id, email from (
      select lower(customer_email) as email, max(id::text) as last from payment
      where merchant_id = ${merchantId} and mode = ${mode} and id = any(${paymentIds}::uuid[])
        and (${sql.join(
          terms.map((term) => matching(sql`lower(customer_email)`, [term])),
          sql` or `,
        )})
      group by 1
    ) as found order by last desc`;
}

async function findEndpoints(context: Searching, wanted: string): Promise<Found<WebhookEndpoint>> {
  const part = wanted.toLowerCase();
  const endpoints = await listWebhookEndpoints(context);
  return counted(endpoints.filter(({ id, url }) => id === part || url.toLowerCase().includes(part)));
}

const atMostOne = <Hit>(hit: Hit | null): Found<Hit> => counted(hit === null ? [] : [hit]);

function counted<Hit>(all: Hit[]): Found<Hit> {
  return { hits: all.slice(0, maxHits), total: Math.min(all.length, maxTotal), hasMore: all.length > maxTotal };
}
