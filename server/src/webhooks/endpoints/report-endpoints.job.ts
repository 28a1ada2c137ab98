/**
 * Notifies people of endpoints that fail, were switched off, or are well again. The state is stored with the endpoint,
 * so the number of failing deliveries does not matter. `endpoint_report` has what was reported last.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import { notify } from '../../people/notifications/notify.service.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { DisabledReason } from './endpoint.entity.ts';

/** Later changes are reported by the next run. */
const maxReports = 1000;

/**
 * Choice: an endpoint that fails for an hour is reported, at most once a day, so that an endpoint that fails and works
 * by turns does not send a mail each hour. It is well again when it has failed at no run of this job for ten minutes.
 */
const failingHours = 1;
const restHours = 24;
const wellMinutes = 10;

export async function reportEndpoints(context: Context): Promise<void> {
  if (!context.config.mail) return;
  for (const report of [reportFailing, reportDisabled, reportWell, forgetRemoved])
    await inTransaction(withFreshEntityManager(context), report);
}

interface Reported {
  id: string;
  url: string;
  merchantId: string;
  mode: Mode;
}

const reported = sql`id, url, merchant_id as "merchantId", mode`;

/** An older version of the service does not reset `failing_since`, so the last success is compared too. */
async function reportFailing(tx: WriteContext): Promise<void> {
  const rows = await rowsOf<Reported & { sinceMs: number }>(tx)`
    with found as (
      select webhook_endpoint.* from webhook_endpoint left join endpoint_report on endpoint_id = id
      where failing_since <= now() - make_interval(hours => ${failingHours})
        and is_active and removed_at is null and (last_delivered_at is null or last_delivered_at < failing_since)
        and (failing_at is null or (failing_at < failing_since and failing_at < now() - make_interval(hours => ${restHours})))
      order by failing_since limit ${maxReports}
    ),
    noted as (
      insert into endpoint_report (endpoint_id, state, failing_at) select id, 'failing', now() from found
      on conflict (endpoint_id) do update set state = 'failing', failing_at = now(), well_since = null
      where endpoint_report.failing_at is null or endpoint_report.failing_at < now() - make_interval(hours => ${restHours})
      returning endpoint_id
    )
    select ${reported}, extract(epoch from failing_since)::float8 * 1000 as "sinceMs" from found join noted on endpoint_id = id order by id`;
  for (const { sinceMs, ...endpoint } of rows)
    await notify(tx, { kind: 'endpoint_failing', ...about(endpoint, { since: new Date(sinceMs).toISOString() }) });
}

/** Endpoints that were disabled before a mail server was configured are not reported. */
async function reportDisabled(tx: WriteContext): Promise<void> {
  const rows = await rowsOf<Reported & { reason: DisabledReason }>(tx)`
    with found as (
      select webhook_endpoint.* from webhook_endpoint left join endpoint_report on endpoint_id = id
      where webhook_endpoint.disabled_at > now() - interval '1 day' and not is_active and removed_at is null
        and endpoint_report.disabled_at is distinct from webhook_endpoint.disabled_at
      limit ${maxReports}
    ),
    noted as (
      insert into endpoint_report (endpoint_id, state, disabled_at) select id, 'disabled', disabled_at from found
      on conflict (endpoint_id) do update set state = 'disabled', disabled_at = excluded.disabled_at, well_since = null
      where endpoint_report.disabled_at is distinct from excluded.disabled_at
      returning endpoint_id
    )
    select ${reported}, disabled_reason as reason from found join noted on endpoint_id = id order by id`;
  for (const { reason, ...endpoint } of rows)
    await notify(tx, { kind: 'endpoint_disabled', ...about(endpoint, { reason }) });
}

async function reportWell(tx: WriteContext): Promise<void> {
  await run(tx)`
    update endpoint_report set well_since = case when ${isWell} then now() end from webhook_endpoint
    where id = endpoint_id and state <> 'well' and ${isWell} <> (well_since is not null)`;
  const rows = await rowsOf<Reported>(tx)`
    update endpoint_report set state = 'well', well_since = null from webhook_endpoint
    where id = endpoint_id and state <> 'well' and well_since <= now() - make_interval(mins => ${wellMinutes})
    returning ${reported}`;
  for (const endpoint of rows) await notify(tx, { kind: 'endpoint_well', ...about(endpoint, {}) });
}

/** The row of a removed endpoint stays for its deliveries, but nothing is reported of it any more. */
async function forgetRemoved(tx: WriteContext): Promise<void> {
  await run(tx)`delete from endpoint_report using webhook_endpoint where id = endpoint_id and removed_at is not null`;
}

const isWell: RawBuilder<boolean> = sql`(is_active and removed_at is null
  and (failing_since is null or last_delivered_at > failing_since)
  and coalesce(last_delivered_at > greatest(failing_at, endpoint_report.disabled_at), false))`;

function about<Details extends object>({ id, url, merchantId, mode }: Reported, details: Details) {
  return { merchantId, mode, details: { id, url, ...details } };
}
