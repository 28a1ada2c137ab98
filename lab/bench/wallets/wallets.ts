import { newId } from '@tillhook/server/src/kit/ids.ts';
import { createMerchant } from '../../support/merchant.ts';
import type { Bench } from '../bench.ts';

export type Accounts = readonly [wallet: string, reserved: string];

export async function createWallets({ database }: Bench, accounts: Accounts, count: number): Promise<string[]> {
  const merchantIds: string[] = [];
  for (let index = 0; index < count; index += 1) merchantIds.push(await createMerchant(database));
  const rows = merchantIds.flatMap((merchantId) =>
    accounts.map((kind) => ({ id: newId(), merchant_id: merchantId, kind })),
  );
  await database.query(
    `insert into ledger_account (id, merchant_id, mode, currency, kind)
     select id, merchant_id, 'test', 'NGN', kind
     from json_to_recordset($1) as account (id uuid, merchant_id uuid, kind text)`,
    [JSON.stringify(rows)],
  );
  return merchantIds;
}

/** The triggers of the ledger forbid deletes, so `session_replication_role` turns the triggers off. */
export async function resetWallets(
  { database }: Bench,
  movements: 'transfer' | 'refund',
  [wallet]: Accounts,
): Promise<void> {
  await database.query('begin');
  await database.query('set local session_replication_role = replica');
  await database.query(`truncate ${movements}, ledger_entry, ledger_transaction`);
  await database.query('update payment set amount_refunded = 0 where amount_refunded > 0');
  await database.query(
    'update ledger_account set balance = case kind when $1 then 1000000000000 else 0 end, entry_count = 0',
    [wallet],
  );
  await database.query('commit');
  await database.query(`vacuum analyze payment, ${movements}, ledger_account, ledger_entry, ledger_transaction`);
}
