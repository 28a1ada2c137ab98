/**
 * What a user with the role support may refund in 24 hours. The user's row is locked, so that refunds that are made at
 * the same moment cannot exceed the limit together.
 * See docs/decisions/auth.md, "The refunds of a support member are counted by the audit log".
 */
import type { WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { dayMs } from '../../kit/hours.ts';
import { decimalAmount } from '../../kit/money.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';

interface Wanted {
  amount: bigint;
  currency: string;
}

export async function refuseAboveSupportLimit(context: WriteContext & WithPrincipal, wanted: Wanted): Promise<void> {
  const { merchantId, actor } = context.principal;
  if (actor.type !== 'user' || actor.role !== 'support') return;
  const [merchant] = await rowsOf<{ limit: string | null; currency: string }>(context)`
    select support_refund_limit as limit, currency from merchant where id = ${merchantId}`;
  if (!merchant?.limit) throw refused('Your role may make no refunds until an administrator sets a limit for it');
  const { limit, currency } = merchant;
  if (wanted.currency !== currency) {
    throw refused(`Your role may refund payments in ${currency} only: ask an administrator to refund this one`);
  }
  await run(context)`select 1 from dashboard_user where id = ${actor.userId} for update`;
  const left = BigInt(limit) - (await refundedWithinADay(context, actor.email));
  if (wanted.amount <= left) return;
  const shown = (amount: bigint) => `${currency} ${decimalAmount(amount, currency)}`;
  const rest = left > 0n ? `${shown(left)} is left` : 'nothing is left';
  throw refused(`Your role may refund ${shown(BigInt(limit))} in 24 hours, and ${rest}`, 'amount');
}

/** Does not count refunds that failed, because their money is in the Collection wallet again. */
async function refundedWithinADay(context: WriteContext & WithPrincipal, email: string): Promise<bigint> {
  const { merchantId, mode } = context.principal;
  const since = new Date(context.clock.now().getTime() - dayMs);
  const [sum] = await rowsOf<{ amount: string }>(context)`
    select coalesce(sum(refund.amount), 0)::text as amount
    from audit_entry join refund using (merchant_id, mode)
    where merchant_id = ${merchantId} and mode = ${mode}
      and audit_entry.action = 'createRefund' and audit_entry.user_email = ${email}
      and audit_entry.created_at > ${since}
      and refund.reference = audit_entry.subject and refund.status <> 'failed'`;
  return BigInt(sum?.amount ?? 0);
}

function refused(message: string, param?: string): AppError {
  return new AppError('refund_limit_reached', message, { ...(param !== undefined && { param }) });
}
