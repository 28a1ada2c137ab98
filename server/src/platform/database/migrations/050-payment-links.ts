import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version ignores all of this. The payments that it completes are counted by the trigger, too. */
export class PaymentLinks extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(links);
    this.addSql('alter table payment add column payment_link_id uuid');
    this.addSql(counting);
  }
}

const links = `
  create table payment_link (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    slug text not null constraint payment_link_slug_unique unique,
    name text not null,
    description text,
    amount bigint check (amount > 0),
    currency char(3) not null,
    min_amount bigint check (min_amount > 0),
    max_amount bigint check (max_amount >= min_amount),
    suggested_amount bigint check (suggested_amount > 0),
    product_id uuid references product (id),
    quantity integer check (quantity > 0),
    max_quantity integer check (max_quantity > 0),
    is_active boolean not null,
    expires_at timestamptz(3),
    callback_url text,
    metadata jsonb not null,
    max_payments integer check (max_payments > 0),
    completed_payments bigint not null default 0,
    completed_amount bigint not null default 0,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check (amount is null or product_id is null)
  );
  create index payment_link_list on payment_link (merchant_id, mode, id);`;

// See docs/decisions/checkout-page.md, "A trigger counts the payments of a link".
const counting = `
  create function count_payment_of_link() returns trigger language plpgsql as $$
  begin
    update payment_link
    set completed_payments = completed_payments + 1, completed_amount = completed_amount + new.amount
    where id = new.payment_link_id;
    return null;
  end $$;
  create trigger payment_of_link_completed after update of status on payment for each row
    when (new.payment_link_id is not null and new.status = 'completed' and old.status <> 'completed')
    execute function count_payment_of_link();`;
