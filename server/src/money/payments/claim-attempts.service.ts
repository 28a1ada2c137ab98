import { sql } from 'kysely';
import type { EventOwner, WriteContext } from '../../context.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';

export const batchSize = 10;

/**
 * The older an attempt, the longer the pause until its next check. Before a payment expires, the next check is never
 * later than its expiry. If a payment has ended, its attempts of the last day are checked every minute, because the
 * customer may still pay on the processor's page. No session at a processor lasts longer than a day.
 * See docs/decisions/money.md, "One job and one column look after open attempts".
 */
export async function claimOpenAttempts(context: WriteContext, owner?: EventOwner): Promise<string[]> {
  const isOwn = owner
    ? sql`exists (select from payment where payment.id = payment_id
        and merchant_id = ${owner.merchantId} and mode = ${owner.mode})`
    : sql`true`;
  const rows = await rowsOf<{ id: string }>(context)`
    with due as (
      select id from payment_attempt where outcome is null and next_check_at <= now() and ${isOwn}
      order by next_check_at limit ${batchSize} for update skip locked
    )
    update payment_attempt as attempt set next_check_at = case
      when payment.expires_at > now() then least(now() + pause.length, payment.expires_at) else now() + pause.length end
    from due
    join payment_attempt as claimed using (id)
    join payment on payment.id = claimed.payment_id,
    lateral (
      select case
        when payment.status not in ('pending', 'processing') and claimed.started_at > now() - interval '1 day'
          then interval '1 minute'
        else least(greatest((now() - claimed.started_at) / 4, interval '1 minute'), interval '15 minutes')
      end as length
    ) as pause
    where attempt.id = due.id
    returning attempt.id`;
  return rows.map(({ id }) => id);
}

/** Lets pages ask the processor about an attempt at most once in five seconds. */
export async function claimAttempt(context: WriteContext, attemptId: string): Promise<boolean> {
  const taken = await run(context)`
    update payment_attempt set asked_at = now()
    where id = ${attemptId} and outcome is null and (asked_at is null or asked_at < now() - interval '5 seconds')`;
  return taken === 1;
}
