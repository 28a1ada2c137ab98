import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

export class Ledger extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(accounts);
    this.addSql(entries);
    this.addSql(guards);
    this.addSql(transfers);
  }
}

// Each merchant has its own system accounts: with shared accounts, each payment would wait for all other payments.
const accounts = `
  create table ledger_account (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    currency char(3) not null,
    kind text not null,
    balance bigint not null default 0,
    entry_count bigint not null default 0,
    constraint ledger_account_unique unique (merchant_id, mode, currency, kind),
    constraint ledger_account_kind check (kind in
      ('collection', 'transfer', 'transfer_reserved', 'processor_clearing', 'payout_clearing', 'fees', 'funding')),
    constraint ledger_account_balance check
      (balance >= 0 or kind in ('processor_clearing', 'payout_clearing', 'fees', 'funding')),
    constraint ledger_account_exact_in_json check (balance between -9007199254740991 and 9007199254740991)
  );`;

// An entry gets its number while its account is locked, but its id earlier, so an account lists its entries by number.
const entries = `
  create table ledger_transaction (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    currency char(3) not null,
    kind text not null check (kind in ('payment', 'top_up', 'test_funding', 'transfer_reserve', 'transfer_settle',
      'transfer_return', 'transfer_reversal')),
    source_id uuid not null,
    reference text,
    created_at timestamptz(3) not null,
    constraint ledger_transaction_source_unique unique (kind, source_id)
  );
  create unique index ledger_top_up_reference_unique on ledger_transaction (merchant_id, mode, reference)
    where kind = 'top_up';
  create table ledger_entry (
    id uuid primary key,
    transaction_id uuid not null references ledger_transaction (id),
    account_id uuid not null references ledger_account (id),
    number bigint not null check (number > 0),
    type text not null check (type in
      ('payment', 'top_up', 'test_funding', 'transfer', 'transfer_return', 'transfer_reversal', 'fee')),
    amount bigint not null check (amount <> 0),
    balance bigint not null,
    constraint ledger_entry_number_unique unique (account_id, number)
  );
  create index ledger_entry_transaction on ledger_entry (transaction_id);`;

// Protects the ledger from SQL outside this code: entries and transactions cannot be changed, and every transaction
// adds up to zero.
const guards = `
  create function refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only: correct it with a new transaction', tg_table_name
      using errcode = 'restrict_violation';
  end $$;
  create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
    for each statement execute function refuse_ledger_change();
  create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
    for each statement execute function refuse_ledger_change();

  create function refuse_unbalanced_ledger() returns trigger language plpgsql as $$
  begin
    if exists (select from posted group by transaction_id having sum(amount) <> 0) then
      raise exception 'The entries of a ledger transaction do not add up to zero' using errcode = 'check_violation';
    end if;
    if exists (
      select from posted
      join ledger_account as account on account.id = posted.account_id
      join ledger_transaction as transaction on transaction.id = posted.transaction_id
      where (account.merchant_id, account.mode, account.currency)
        <> (transaction.merchant_id, transaction.mode, transaction.currency)
    ) then
      raise exception 'A ledger entry crosses merchants, modes or currencies' using errcode = 'check_violation';
    end if;
    return null;
  end $$;
  create trigger ledger_entry_balanced after insert on ledger_entry referencing new table as posted
    for each statement execute function refuse_unbalanced_ledger();`;

// The default is set after the column was added, so that existing rows do not get the default.
const transfers = `
  alter table merchant add column transfer_fee bigint not null default 0
    check (transfer_fee between 0 and 999999999999);
  alter table transfer
    add column sealed_account_number text,
    add column metadata jsonb not null default '{}',
    add column next_check_at timestamptz;
  alter table transfer alter column next_check_at set default now();`;
