/**
 * Searches the merchant's records of one mode for a part of their texts.
 * See docs/decisions/figures.md, "A search reads the newest records first, then an index of trigrams".
 */
import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Context, WithPrincipal } from '../context.ts';
import { isId } from '../kit/ids.ts';
import { Payment } from '../money/payments/payment.entity.ts';
import { Product } from '../money/products/product.entity.ts';
import { Refund } from '../money/refunds/refund.entity.ts';
import { Transfer } from '../money/transfers/transfer.entity.ts';
import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/endpoints/endpoints.service.ts';
import { findDelivery, type LoggedDelivery } from '../webhooks/log/deliveries.service.ts';
import { Event } from '../webhooks/queue/event.entity.ts';
import { indexedTerms, matching, termsOf } from './search-terms.ts';
import { type LongKind, listOf, longKinds, newestMatching, productKind } from './searched-kinds.ts';

export const maxHits = 5;
export const maxTotal = 100;
/** The maximum number of a merchant's newest records that are read one by one. */
const usualDepth = 5_000;

export interface Found<Hit> {
  hits: Hit[];
  total: number;
  hasMore: boolean;
}

export interface Findings {
  payments: Found<Payment>;
  customers: Found<string>;
  refunds: Found<Refund>;
  transfers: Found<Transfer>;
  products: Found<Product>;
  endpoints: Found<WebhookEndpoint>;
  events: Found<Event>;
  deliveries: Found<LoggedDelivery>;
}

type Searching = Context & WithPrincipal;

export async function search(context: Searching, typed: string, { depth = usualDepth } = {}): Promise<Findings | null> {
  const wanted = typed.trim();
  const terms = termsOf(wanted);
  if (terms.length === 0) return null;
  const { merchantId, mode } = context.principal;
  const looked = { wanted, terms, depth };
  const paymentIds = await findIds(context, 'payment', looked);
  return {
    payments: await load(context, Payment, paymentIds),
    customers: await findCustomers(context, paymentIds, terms),
    refunds: await load(context, Refund, await findIds(context, 'refund', looked)),
    transfers: await load(context, Transfer, await findIds(context, 'transfer', looked)),
    products: await load(context, Product, await findProducts(context, looked)),
    endpoints: await findEndpoints(context, wanted),
    events: atMostOne(isId(wanted) ? await context.em.findOne(Event, { id: wanted, merchantId, mode }) : null),
    deliveries: atMostOne(isId(wanted) ? await findDelivery(context, wanted) : null),
  };
}

interface Wanted {
  wanted: string;
  terms: string[][];
  depth: number;
}

const limit = maxTotal + 1;

/** The whole reference or id is found in every case. */
async function findIds(context: Searching, kind: LongKind, { wanted, terms, depth }: Wanted): Promise<string[]> {
  const { merchantId, mode } = context.principal;
  const { table } = longKinds[kind];
  const byId = isId(wanted) ? sql`or id = ${wanted}` : sql``;
  const newest = await idsIn(context)`
    select id from ${table}
    where merchant_id = ${merchantId} and mode = ${mode} and (reference = ${wanted} ${byId})
    union all (${newestMatching(longKinds[kind], { merchantId, mode }, { terms, depth, limit })})`;
  const indexed = newest.length < limit ? indexedTerms(terms) : null;
  // Without `materialized`, Postgres may read the rows of all merchants in the order of their ids.
  const older = indexed
    ? await idsIn(context)`
        with found as materialized (
          select id from search_record
          where merchant_id = ${merchantId} and list = ${listOf(mode, kind)} and ${matching(sql`words`, indexed)}
        )
        select id from found order by id desc limit ${limit}`
    : [];
  return [...new Set([...newest, ...older])].sort().reverse().slice(0, limit);
}

function idsIn(context: Searching) {
  return async (...statement: Parameters<ReturnType<typeof rowsOutsideTransaction<{ id: string }>>>) =>
    (await rowsOutsideTransaction<{ id: string }>(context)(...statement)).map(({ id }) => id);
}

async function findProducts(context: Searching, { terms, depth }: Wanted): Promise<string[]> {
  return idsIn(context)`${newestMatching(productKind, context.principal, { terms, depth, limit })}`;
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

/** The customers of the payments that were found, if one of the terms is a part of the address. */
async function findCustomers(context: Searching, paymentIds: string[], terms: string[][]): Promise<Found<string>> {
  if (paymentIds.length === 0) return counted([]);
  const { merchantId, mode } = context.principal;
  const rows = await rowsOutsideTransaction<{ email: string }>(context)`
    select lower(customer_email) as email from payment
    where merchant_id = ${merchantId} and mode = ${mode} and id = any(${paymentIds}::uuid[])
      and (${sql.join(
        terms.map((term) => matching(sql`lower(customer_email)`, [term])),
        sql` or `,
      )})
    group by 1 order by max(id::text) desc`;
  return counted(rows.map(({ email }) => email));
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
