import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import { longKinds } from './searched-kinds.ts';
import { findIds, maxFound, type Searching, soughtIn } from './text-search.service.ts';

/** A condition for the ORM; its value is the JSON of the references. */
export const isOneOfSubjects = 'reference = any(array(select json_array_elements_text(?::json)))';

/**
 * Events have no text of their merchant, so they are found by what they are about. Returns the references of the
 * newest payments, refunds and transfers that match, and undefined if the text has no words. The text itself is one of
 * them, because a test event is about no record.
 */
export async function subjectsFound(
  context: Searching,
  { search = '', to }: { search?: string; to?: string },
): Promise<string[] | undefined> {
  const sought = soughtIn(search);
  if (!sought) return undefined;
  // A record is older than its events.
  const bounds = { limit: maxFound, ...(to && { time: { to: new Date(to) } }) };
  const payments = await findIds(context, 'payment', sought, bounds);
  const refunds = await findIds(context, 'refund', sought, bounds);
  const transfers = await findIds(context, 'transfer', sought, bounds);
  // A payment has no event before it has ended. The texts of a refund do not have the customer of its payment.
  const rows = await rowsOutsideTransaction<{ reference: string }>(context)`
    select reference from ${longKinds.payment.table} where id = any(${payments}::uuid[]) and status <> 'pending'
    union select reference from ${longKinds.refund.table}
    where id = any(${refunds}::uuid[]) or payment_id = any(${payments}::uuid[])
    union select reference from ${longKinds.transfer.table} where id = any(${transfers}::uuid[])`;
  return [...new Set([sought.wanted, ...rows.map(({ reference }) => reference)])];
}
