/**
 * Only actions of people are audited. Calls with an API key are not, because the lists show the records that these
 * calls created.
 * See docs/decisions/auth.md, "Only what people do is audited".
 */
import { raw } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import type { Role } from '../../kit/permissions.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { AuditEntry } from './audit-entry.entity.ts';

/** Without `subject`, the merchant itself was changed. `mode: null` means that the action concerns both modes. */
interface OwnAct {
  action: string;
  subject?: string | null;
  mode?: null;
}

/** A command that does the same as an operation has the operation's name here. */
export const commandActions = [
  'createApiKey',
  'rollApiKey',
  'revokeApiKey',
  'createUser',
  'inviteMember',
  'updateMember',
  'removeMember',
  'resetPassword',
  'removeTwoStep',
  'removePasskeys',
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
  'replayDeliveries',
] as const;

export type CommandAction = (typeof commandActions)[number];

interface Act {
  action: string;
  subject: string | null;
  merchantId: string;
  mode: Mode | null;
  /** Null for an operator at the command line. */
  by: { email: string; role: Role } | null;
}

export function noteOwnAct(context: WriteContext & WithPrincipal, { action, subject = null, ...own }: OwnAct): void {
  const { merchantId, mode, actor } = context.principal;
  if (actor.type === 'user') noteAct(context, { merchantId, mode, by: actor, action, subject, ...own });
}

/** Writes an entry for a merchant that is not the caller's own. */
export function noteActFor(context: WriteContext & WithPrincipal, act: Omit<Act, 'by'>): void {
  const { actor } = context.principal;
  if (actor.type === 'user') noteAct(context, { ...act, by: actor });
}

export function noteOperatorAct(context: WriteContext, act: Omit<Act, 'by'> & { action: CommandAction }): void {
  noteAct(context, { ...act, by: null });
}

/** Choice: merchants see that an operator acted. Only the row in the database has the operator's email and address. */
export function noteAct(context: WriteContext, { by, ...act }: Act): void {
  const isOperator = by?.role === 'operator';
  const names = { userEmail: isOperator ? null : (by?.email ?? null), operatorEmail: isOperator ? by.email : null };
  const { address = null, browser = null } = context.client ?? {};
  if (isOperator) context.log.info({ operator: by.email, address, ...act }, 'An operator acts for a merchant');
  const createdAt = context.clock.now();
  context.em.persist(Object.assign(new AuditEntry(), { id: newId(), createdAt, ...act, ...names, address, browser }));
}

interface AuditFilter {
  from?: string;
  to?: string;
  action?: string;
  /** A part of the user's email, compared without regard to case. */
  email?: string;
  subject?: string;
}

/** Lists the entries of both modes together, because some actions concern both modes. */
export async function listAuditEntries(
  context: Context & WithPrincipal,
  filter: AuditFilter,
  page: Page,
): Promise<Paged<AuditEntry>> {
  const { merchantId } = context.principal;
  return listPage(context, AuditEntry, { owner: { merchantId }, where: matching(context, filter), page });
}

export function readAuditEntries(
  context: Context & WithPrincipal,
  filter: AuditFilter,
): AsyncIterableIterator<AuditEntry[]> {
  return readInBatches(context, AuditEntry, { where: matching(context, filter), by: 'id' });
}

function matching({ principal: { merchantId } }: WithPrincipal, { action, email, subject, ...time }: AuditFilter) {
  return {
    merchantId,
    ...createdWithin(timeOf(time)),
    ...(action !== undefined && { action }),
    ...(subject !== undefined && { subject }),
    ...(email !== undefined && { [raw('position(? in lower(user_email))', [email.toLowerCase()])]: { $gt: 0 } }),
  };
}
