/**
 * Who did what, for whoever has to account for it. An entry is saved together with the act. Only what people do is written:
 * users of the dashboard, and the operator with the command line; a program's calls show in the lists of what they made.
 */
import type { Called, Context, WriteContext } from '../context.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import { createdBetween, type Page, type Paged } from '../kit/pagination.ts';
import { AuditEntry } from './audit-entry.entity.ts';

/** What was done, and to what: the merchant itself where there is no `subject`, in the caller's mode or in both. */
interface OwnAct {
  action: string;
  subject?: string | null;
  mode?: null;
}

interface Act {
  action: string;
  subject: string | null;
  merchantId: string;
  mode: Mode | null;
  /** Null for the operator. */
  userEmail: string | null;
}

/** Notes what the caller is doing, where the caller is a person. */
export function noteOwnAct(context: WriteContext & Called, { action, subject = null, ...own }: OwnAct): void {
  const { merchantId, mode, actor } = context.principal;
  if (actor.type === 'user') noteAct(context, { merchantId, mode, userEmail: actor.email, action, subject, ...own });
}

/** Notes what the operator does by a command, for the merchant to read. */
export function noteOperatorAct(context: WriteContext, act: Omit<Act, 'userEmail'>): void {
  noteAct(context, { ...act, userEmail: null });
}

/** Notes an act outside any call, such as a sign-in. */
export function noteAct(context: WriteContext, act: Act): void {
  const createdAt = context.clock.now();
  context.em.persist(Object.assign(new AuditEntry(), { id: newId(), createdAt, ...act }));
}

/** Of both modes, because some of it holds in both. */
export async function listAuditEntries(
  context: Context & Called,
  filter: { from?: string; to?: string },
  page: Page,
): Promise<Paged<AuditEntry>> {
  const { merchantId } = context.principal;
  const where = { merchantId, ...createdBetween(filter) };
  const [records, total] = await context.em.findAndCount(AuditEntry, where, { ...page, orderBy: { id: 'desc' } });
  return { records, total };
}
