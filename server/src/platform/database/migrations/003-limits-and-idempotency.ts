import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class LimitsAndIdempotency extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(rateLimits);
    this.addSql(idempotencyKeys);
    this.addSql(claimIdempotencyKey);
  }
}

/**
 * A table in the format of rate-limiter-flexible. A crash of Postgres empties it, which allows a few calls too many.
 */
const rateLimits = `
  create unlogged table rate_limit (
    key text primary key,
    points integer not null default 0,
    expire bigint
  );`;

const idempotencyKeys = `
  create table idempotency_key (
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    key text not null,
    fingerprint bytea not null,
    response text not null,
    created_at timestamptz(3) not null,
    primary key (merchant_id, mode, key)
  );
  create index idempotency_key_age on idempotency_key (created_at);`;

/** The function is volatile, so it sees rows that were committed while it waited for the lock. */
const claimIdempotencyKey = `
  create function claim_idempotency_key(for_merchant uuid, for_mode text, for_key text)
  returns table (is_ours boolean, fingerprint bytea, response text)
  language plpgsql volatile as $$
  begin
    if not pg_try_advisory_xact_lock(hashtextextended(for_merchant::text || for_mode || for_key, 0)) then
      return query select false, null::bytea, null::text;
      return;
    end if;
    return query
      select true, stored.fingerprint, stored.response
      from (select) as always
      left join idempotency_key as stored
        on stored.merchant_id = for_merchant and stored.mode = for_mode and stored.key = for_key;
  end $$;`;
