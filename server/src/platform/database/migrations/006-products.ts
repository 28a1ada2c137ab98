import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Products extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(storefronts);
    this.addSql(renewStorefront);
    this.addSql(existingStorefronts);
  }
}

const storefronts = `
  create table storefront (
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    version uuid not null,
    primary key (merchant_id, mode)
  );`;

/** With this trigger, no program can change a product without renewing the version of the storefront. */
const renewStorefront = `
  create function renew_storefront() returns trigger language plpgsql as $$
  begin
    insert into storefront (merchant_id, mode, version)
    values (coalesce(new.merchant_id, old.merchant_id), coalesce(new.mode, old.mode), gen_random_uuid())
    on conflict (merchant_id, mode) do update set version = excluded.version;
    return null;
  end $$;
  create trigger product_changed after insert or update or delete on product
    for each row execute function renew_storefront();`;

/** Creating the trigger has locked the table, so this statement misses no product. */
const existingStorefronts = `
  insert into storefront (merchant_id, mode, version)
  select merchant_id, mode, gen_random_uuid() from product group by merchant_id, mode
  on conflict do nothing;`;
