/**
 * A customer is an e-mail address with payments. The table `customer` has those whose payments the job has added up;
 * the newest payments are added here.
 * See docs/decisions/figures.md, "Customers are added up by the job of the search".
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithOwner } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { isId } from '../../kit/ids.ts';
import type { Order, Page, Paged } from '../../kit/pagination.ts';
import { unknownAfter } from '../../platform/database/lists/find-page.ts';
import { rowsOutsideTransaction, searchedRows } from '../../platform/database/statement.ts';
import { matching } from '../../text-search/search-terms.ts';
import { listOf } from '../../text-search/searched-kinds.ts';
import { idsMatching, maxFound, type Sought, soughtIn } from '../../text-search/text-search.service.ts';
import { type CurrencyFigures, countPayments, largeCustomer, type Owner } from './customer-figures.ts';

type Reading = Context & WithOwner;

interface Listed {
  id: string;
  email: string;
  lastPaymentId: string;
}

export interface Customer extends Pick<Listed, 'id' | 'email'> {
  figures: CurrencyFigures[];
  /** Null if the payments were counted for this answer. */
  countedAt: Date | null;
}

interface CustomerFilter {
  email?: string;
  search?: string;
}

/** The maximum number of a merchant's newest payments that are added to the table by each list. */
const freshPayments = 5_000;
const csvBatch = 200;

/** The customer who paid last is the first. */
export async function listCustomers(
  context: Reading,
  filter: CustomerFilter,
  { limit, offset, after, order = 'desc' }: Page,
): Promise<Paged<Customer>> {
  const sought = await matchingFilter(context, filter);
  if (after) {
    const place = { after: await lastPaymentOf(context, after), order, limit: limit + 1, offset: 0 };
    const listed = await listedCustomers(context, sought, place);
    return { records: await withFigures(context, listed.slice(0, limit)), total: listed.length };
  }
  const listed = await listedCustomers(context, sought, { order, limit, offset });
  return { records: await withFigures(context, listed), total: await countCustomers(context, sought) };
}

export async function* readCustomers(context: Reading, filter: CustomerFilter): AsyncIterableIterator<Customer[]> {
  const sought = await matchingFilter(context, filter);
  for (let after: string | undefined; ; ) {
    const listed = await listedCustomers(context, sought, { after, order: 'desc', limit: csvBatch, offset: 0 });
    if (listed.length > 0) yield withFigures(context, listed);
    if (listed.length < csvBatch) return;
    after = listed.at(-1)?.lastPaymentId;
  }
}

export async function getCustomer(context: Reading, id: string): Promise<Customer> {
  const email = await emailOf(context, id);
  const [customer] = email === undefined ? [] : await withFigures(context, [{ id, email }]);
  if (!customer) throw notFound();
  return customer;
}

/** Returns the customers that a search finds, those who paid last first. */
export async function findCustomers(
  context: Reading,
  { terms }: Sought,
  bounds: { limit: number; depth?: number },
): Promise<Pick<Listed, 'id' | 'email'>[]> {
  const { limit } = bounds;
  return listedCustomers(context, await matchingTerms(context, terms, bounds), { order: 'desc', limit, offset: 0 });
}

/**
 * A customer has the id of the first payment, as a UUID of version 8.
 * See docs/decisions/figures.md, "A customer is named by an id, not by the address".
 */
export function customerIdOf({ merchantId, mode }: Owner, email: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(
    (select id from customer where merchant_id = ${merchantId} and mode = ${mode} and email = ${email}),
    (
      select overlay(id::text placing '8' from 15 for 1)::uuid from payment
      where merchant_id = ${merchantId} and mode = ${mode} and lower(customer_email) = ${email} order by id limit 1
    )
  )`;
}

async function emailOf(context: Reading, id: string): Promise<string | undefined> {
  if (id[14] !== '8') return undefined;
  const { merchantId, mode } = context.principal;
  const firstPayment = `${id.slice(0, 14)}7${id.slice(15)}`;
  const [row] = await rowsOutsideTransaction<{ email: string }>(context)`
    select email from (
      select email from customer where id = ${id} and merchant_id = ${merchantId} and mode = ${mode}
      union
      select lower(customer_email) from payment
      where id = ${firstPayment} and merchant_id = ${merchantId} and mode = ${mode}
    ) as named
    where ${customerIdOf(context.principal, sql`named.email`)} = ${id}`;
  return row?.email;
}

/** Which customers a list has: a condition for new payments, and one for the table `customer`. */
interface Matching {
  paid: RawBuilder<unknown>;
  known: RawBuilder<unknown>;
  /** Whether `known` finds few customers. Postgres must not look for them in the order of the whole list. */
  isNarrow?: true;
}

const all: Matching = { paid: sql`true`, known: sql`true` };

async function matchingFilter(context: Reading, { email, search = '' }: CustomerFilter): Promise<Matching> {
  const sought = soughtIn(search);
  const found = sought ? await matchingTerms(context, sought.terms, { limit: maxFound }) : all;
  if (email === undefined) return found;
  const own = sql`lower(${email}::text)`;
  return {
    paid: sql`lower(customer_email) = ${own} and ${found.paid}`,
    known: sql`email = ${own} and ${found.known}`,
    isNarrow: true,
  };
}

async function matchingTerms(
  context: Reading,
  terms: string[][],
  bounds: { limit: number; depth?: number },
): Promise<Matching> {
  const ids = await idsMatching(context, { terms }, { list: listOf(context.principal.mode, 'customer'), ...bounds });
  return {
    paid: matching(sql`lower(customer_email)`, terms),
    known: sql`id = any(${ids}::uuid[])`,
    isNarrow: true,
  };
}

interface Place {
  /** The last payment of the customer before. */
  after?: string | undefined;
  order: Order;
  limit: number;
  offset: number;
}

/** Every payment of the table `customer` is older than those which are added here. */
async function listedCustomers(
  context: Reading,
  found: Matching,
  { after, order, limit, offset }: Place,
): Promise<Listed[]> {
  const direction = sql.raw(order);
  const beyond = after ? sql`last_payment_id ${sql.raw(order === 'asc' ? '>' : '<')} ${after}` : sql`true`;
  return searchedRows<Listed>(context)`
    with ${customersOf(context, found)}
    select ${customerIdOf(context.principal, sql`page.email`)} as id, email, last_payment_id as "lastPaymentId" from (
      select email, last_payment_id from (
        select * from fresh where ${beyond}
        union all
        (select email, last_payment_id from known where ${beyond}
         order by last_payment_id ${direction} limit ${limit + offset})
      ) as customer
      order by last_payment_id ${direction} limit ${limit} offset ${offset}
    ) as page
    order by last_payment_id ${direction}`;
}

async function countCustomers(context: Reading, found: Matching): Promise<number> {
  const [row] = await searchedRows<{ total: number }>(context)`
    with ${customersOf(context, found)}
    select (select count(*) from fresh)::int + (select count(*) from known)::int as total`;
  return row?.total ?? 0;
}

/** `fresh` are the customers with new payments, and `known` are the others. */
function customersOf({ principal: { merchantId, mode } }: Reading, found: Matching): RawBuilder<unknown> {
  return sql`
    fresh as materialized (
      select lower(customer_email) as email, max(id::text)::uuid as last_payment_id
      from (
        select id, customer_email from payment
        where merchant_id = ${merchantId} and mode = ${mode}
          and id > (select until from search_progress where kind = 'customer')
        order by id desc limit ${freshPayments}
      ) as payment
      where ${found.paid}
      group by 1
    ),
    known as ${found.isNarrow ? sql`materialized` : sql``} (
      select email, last_payment_id from customer
      where merchant_id = ${merchantId} and mode = ${mode} and email not in (select email from fresh) and ${found.known}
    )`;
}

async function lastPaymentOf(context: Reading, id: string): Promise<string> {
  const email = isId(id) ? await emailOf(context, id) : undefined;
  if (email === undefined) throw unknownAfter();
  const { merchantId, mode } = context.principal;
  const [row] = await rowsOutsideTransaction<{ last: string }>(context)`
    select id as last from payment
    where merchant_id = ${merchantId} and mode = ${mode} and lower(customer_email) = ${email} order by id desc limit 1`;
  if (!row) throw unknownAfter();
  return row.last;
}

interface Figured {
  email: string;
  figures: CurrencyFigures[];
  countedAt: string | null;
}

/** Keeps the order of the customers. */
async function withFigures(context: Reading, customers: Pick<Listed, 'id' | 'email'>[]): Promise<Customer[]> {
  if (customers.length === 0) return [];
  const { merchantId, mode } = context.principal;
  const rows = await rowsOutsideTransaction<Figured>(context)`
    select given.email, coalesce(stored.figures, counted.figures, '[]'::json) as figures,
      to_json(stored.counted_at)#>>'{}' as "countedAt"
    from unnest(${customers.map(({ email }) => email)}::text[]) as given (email)
    left join lateral (
      select figures, counted_at from customer
      where merchant_id = ${merchantId} and mode = ${mode} and email = given.email
        and payments > ${largeCustomer} and figures is not null
      offset 0
    ) as stored on true
    left join lateral (
      select json_agg(one) as figures from (${countPayments(context.principal, sql`given.email`)}) as one
      where stored.figures is null
      offset 0
    ) as counted on true`;
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  return customers.flatMap(({ id, email }) => {
    const { figures, countedAt } = byEmail.get(email) ?? { figures: [], countedAt: null };
    return figures.length === 0
      ? []
      : [{ id, email, figures, countedAt: countedAt === null ? null : new Date(countedAt) }];
  });
}
