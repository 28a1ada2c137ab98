/**
 * Claims open attempts for a status check, so that two processes, or two pages, do not ask the processor about the
 * same attempt at once. `ask-processor.ts` then asks the processor.
 */
import { sql } from 'kysely';
import type { EventOwner, WriteContext } from '../../context.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';

/** How many attempts one statement claims. */
export const batchSize = 10;

/**
 * Claims the open attempts that are due for a status check, so that no other process asks the processor about them.
 * Each claim sets the time of the attempt's next check. The older the attempt, the longer the pause; but before the
 * payment expires, the next check is never later than the expiry. After the payment has ended, the attempt is checked
 * every minute until it is one day old: until then the customer may still be at the processor's page and pay for a
 * payment that has ended. No session at a processor lasts longer than a day. With `owner`, only attempts of that
 * merchant and mode are claimed.
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

/**
 * Claims an open attempt for a page that shows it. Returns false when the attempt is settled, or when a page asked
 * about it in the last five seconds.
 */
export async function claimAttempt(context: WriteContext, attemptId: string): Promise<boolean> {
  const taken = await run(context)`
    update payment_attempt set asked_at = now()
    where id = ${attemptId} and outcome is null and (asked_at is null or asked_at < now() - interval '5 seconds')`;
  return taken === 1;
}
