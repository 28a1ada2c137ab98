import type { TestServer } from './tillhook.ts';

/** What is wrong with the books of the whole database: nothing, whatever happened. */
export async function faultsOfLedger({ database }: Pick<TestServer, 'database'>): Promise<string[]> {
  const rows = await database.query<{ fault: string }>(`
    select 'transaction ' || transaction_id || ' does not balance' as fault from ledger_entry
      group by transaction_id having sum(amount) <> 0
    union all
    select 'account ' || account.id || ' is not the sum of its entries' from ledger_account as account
      left join ledger_entry as entry on entry.account_id = account.id
      group by account.id having account.balance <> coalesce(sum(entry.amount), 0)
    union all
    select 'entry ' || id || ' has a wrong running balance' from (
      select id, balance, sum(amount) over (partition by account_id order by number) as expected,
        number, row_number() over (partition by account_id order by number) as place from ledger_entry
    ) as entry where balance <> expected or number <> place
    union all
    select kind || ' of ' || merchant_id || ' is below zero' from ledger_account
      where balance < 0 and kind in ('collection', 'transfer', 'transfer_reserved')
    union all
    select 'what ' || account.merchant_id || ' has reserved is not what is under way' from ledger_account as account
      where kind = 'transfer_reserved' and balance <> (
        select coalesce(sum(amount + fee), 0) from transfer where merchant_id = account.merchant_id
          and mode = account.mode and currency = account.currency and status in ('pending', 'processing'))
    union all
    select 'payment ' || id || ' is not in the ledger' from payment where status = 'completed'
      and not exists (select from ledger_transaction where kind = 'payment' and source_id = payment.id)`);
  return rows.map(({ fault }) => fault);
}
