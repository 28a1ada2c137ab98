import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import { type LongKind, longKinds } from './searched-kinds.ts';
import { findIds, type Searching, soughtIn } from './text-search.service.ts';

const maxSubjects = 100;

/** A condition for the ORM; its value is the JSON of the references. */
export const isOneOfSubjects = 'reference = any(array(select json_array_elements_text(?::json)))';

/**
 * Events have no text of their merchant, so they are found by what they are about. Returns the references of the
 * newest payments, refunds and transfers that match, and undefined if the text has no words. The text itself is one of
 * them, because a test event is about no record.
 */
export async function subjectsFound(
  context: Searching,
  { search = '' }: { search?: string },
): Promise<string[] | undefined> {
  const sought = soughtIn(search);
  if (!sought) return undefined;
  const references = new Set([sought.wanted]);
  for (const kind of Object.keys(longKinds) as LongKind[]) {
    const ids = await findIds(context, kind, sought, { limit: maxSubjects });
    const rows = await rowsOutsideTransaction<{ reference: string }>(context)`
      select reference from ${longKinds[kind].table} where id = any(${ids}::uuid[])`;
    for (const { reference } of rows) references.add(reference);
  }
  return [...references];
}
