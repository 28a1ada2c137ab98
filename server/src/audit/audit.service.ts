/**
 * Who did what, for people who have to account for it. An entry is saved together with the act. Only what people do is written:
 * users of the dashboard, and the operator with the command line; a program's calls show in the lists of what they made.
 * See docs/decisions/auth.md, "Only what people do is audited".
 */
import { raw } from '@mikro-orm/core';
import type { Called, Context, WriteContext } from '../context.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import { createdBetween, type Page, type Paged } from '../kit/pagination.ts';
import type { Role } from '../kit/permissions.ts';
import { AuditEntry } from './audit-entry.entity.ts';

/** What was done, and to what: the merchant itself where there is no `subject`, in the caller's mode or in both. */
interface OwnAct {
  action: string;
  subject?: string | null;
  mode?: null;
}

/** What commands of the command line note; the names of operations, where an operation does the same. */
export const commandActions = [
  'createApiKey',
  'rollApiKey',
  'revokeApiKey',
  'createUser',
  'resetPassword',
  'removeTwoStep',
  'requireTwoStep',
  'stopRequiringTwoStep',
  'setTransferFee',
  'suspendMerchant',
  'resumeMerchant',
  'completeReviewedPayment',
  'refuseReviewedPayment',
  'revealAccountNumber',
  'settleTransfer',
  'failTransfer',
  'reverseTransfer',
] as const;

export type CommandAction = (typeof commandActions)[number];

interface Act {
  action: string;
  subject: string | null;
  merchantId: string;
  mode: Mode | null;
  /** Null for the operator at the command line. */
  by: { email: string; role: Role } | null;
}

/** Notes what the caller is doing, where the caller is a person. */
export function noteOwnAct(context: WriteContext & Called, { action, subject = null, ...own }: OwnAct): void {
  const { merchantId, mode, actor } = context.principal;
  if (actor.type === 'user') noteAct(context, { merchantId, mode, by: actor, action, subject, ...own });
}

/** Notes what the caller does to a merchant that the call is not about. */
export function noteActFor(context: WriteContext & Called, act: Omit<Act, 'by'>): void {
  const { actor } = context.principal;
  if (actor.type === 'user') noteAct(context, { ...act, by: actor });
}

/** Notes what the operator does by a command, for the merchant to read. */
export function noteOperatorAct(context: WriteContext, act: Omit<Act, 'by'> & { action: CommandAction }): void {
  noteAct(context, { ...act, by: null });
}

/**
 * Notes an act outside any call, such as a sign-in. Choice: a merchant is told that an operator did it and not which one; the
 * email and where they called from stay in the row, for the service to account for.
 */
export function noteAct(context: WriteContext, { by, ...act }: Act): void {
  const isOperator = by?.role === 'operator';
  const names = { userEmail: isOperator ? null : (by?.email ?? null), operatorEmail: isOperator ? by.email : null };
  const { address = null, browser = null } = context.origin ?? {};
  if (isOperator) context.log.info({ operator: by.email, address, ...act }, 'An operator acts for a merchant');
  const createdAt = context.clock.now();
  context.em.persist(Object.assign(new AuditEntry(), { id: newId(), createdAt, ...act, ...names, address, browser }));
}

interface AuditFilter {
  from?: string;
  to?: string;
  action?: string;
  /** A part of the user's address, without regard to case. */
  email?: string;
  subject?: string;
}

/** Of both modes, because some of it holds in both. */
export async function listAuditEntries(
  context: Context & Called,
  { action, email, subject, ...time }: AuditFilter,
  page: Page,
): Promise<Paged<AuditEntry>> {
  const { merchantId } = context.principal;
  const where = {
    merchantId,
    ...createdBetween(time),
    ...(action !== undefined && { action }),
    ...(subject !== undefined && { subject }),
    ...(email !== undefined && { [raw('position(? in lower(user_email))', [email.toLowerCase()])]: { $gt: 0 } }),
  };
  const [records, total] = await context.em.findAndCount(AuditEntry, where, { ...page, orderBy: { id: 'desc' } });
  return { records, total };
}
