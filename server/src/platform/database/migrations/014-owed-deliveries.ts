import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** With separate, narrow rows for pending deliveries, neither a claim nor the end of a delivery writes to an index. */
export class OwedDeliveries extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(owedDelivery);
    this.addSql(keepVersionBefore);
  }
}

// Rows are claimed in the order of `due_at`, but not before `held_until`: the end of a lease, or of a pause.
const owedDelivery = `
  create table owed_delivery (
    delivery_id uuid primary key,
    event_id uuid not null,
    endpoint_id uuid not null,
    is_retry boolean not null default false,
    attempt_count int not null default 0,
    claims int not null default 0,
    due_at timestamptz not null,
    held_until timestamptz,
    lease uuid
  ) with (fillfactor = 50);
  create index owed_delivery_turn on owed_delivery (endpoint_id, is_retry, due_at);
  create index owed_delivery_due on owed_delivery (due_at);
  alter table delivery set (fillfactor = 50);`;

// The previous release stores pending deliveries in `delivery.next_attempt_at`. While it runs, this trigger moves the
// value into `owed_delivery`, so that only this release sends the delivery.
const keepVersionBefore = `
  create function move_owed_delivery() returns trigger language plpgsql as $$
  begin
    if new.status = 'pending' then
      insert into owed_delivery
        (delivery_id, event_id, endpoint_id, is_retry, attempt_count, claims, due_at, held_until)
      values (new.id, new.event_id, new.endpoint_id, new.attempt_count > 0, new.attempt_count, new.claims,
        new.next_attempt_at, new.next_attempt_at)
      on conflict (delivery_id) do update set is_retry = excluded.is_retry, attempt_count = excluded.attempt_count,
        claims = excluded.claims, due_at = excluded.due_at, held_until = excluded.held_until, lease = null;
      new.next_attempt_at := null;
    else
      delete from owed_delivery where delivery_id = new.id;
    end if;
    return new;
  end $$;
  create trigger delivery_owed_before before insert on delivery
    for each row when (new.next_attempt_at is not null) execute function move_owed_delivery();
  create trigger delivery_recorded_before before update of next_attempt_at on delivery
    for each row when (new.next_attempt_at is not null or new.status <> 'pending') execute function move_owed_delivery();`;
