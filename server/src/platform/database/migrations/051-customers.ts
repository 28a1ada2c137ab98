import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** The previous version neither reads nor writes these tables. The job of the search fills them. */
export class Customers extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(customers);
    this.addSql(search);
  }
}

// A customer is an address in lower case. Only payments before `until` in `search_progress` are added up. `figures` are
// stored only for customers with so many payments that a list could not count them.
const customers = `
  create table customer (
    id uuid primary key,
    merchant_id uuid not null,
    mode text not null,
    email text not null,
    payments bigint not null,
    last_payment_id uuid not null,
    figures json,
    counted_at timestamptz
  );
  create unique index customer_email on customer (merchant_id, mode, email);
  create index customer_list on customer (merchant_id, mode, last_payment_id desc);
  create index customer_to_count on customer (counted_at nulls first) where payments > 1000;`;

// The newest records of a list are read one by one.
const search = `
  create index search_record_list on search_record (merchant_id, list, id desc);
  insert into search_progress values ('customer', '00000000-0000-0000-0000-000000000000');`;
