import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** In test mode, the account number decides the outcome of the transfer. */
export function recipient(accountNumber = '0123456789', bankCode = '058') {
  return { name: 'Grace Hopper', accountNumber, bankCode };
}

export async function fundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await merchant.client.testHelpers.fundWallet({ amount });
  return merchant;
}

export async function liveFundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await fundLiveWallet(server, merchant, amount);
  return merchant;
}

/** No API call can add this amount: only payments of customers bring money into live mode. */
export async function fundLiveWallet(server: TestServer, { id }: TestMerchant, amount: number): Promise<void> {
  await server.arrange('fundLiveWallet', { merchantId: id, amount });
}

/** The amount may exceed the maximum amount of a payment. */
export async function creditCollection(server: TestServer, { id: merchantId }: TestMerchant, amount: number) {
  await server.arrange('creditCollection', { merchantId, amount });
}

export async function chargeFee(server: TestServer, { id }: TestMerchant, fee: number): Promise<void> {
  await server.database.query('update merchant set transfer_fee = $2 where id = $1', [id, fee]);
}

export async function waitForTransfer(status: string, { client }: TestMerchant, reference: string) {
  return eventually(
    () => client.transfers.get(reference),
    (transfer) => transfer.status === status,
  );
}

export async function makeTransfersDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    'update transfer set next_check_at = now() where merchant_id = $1 and next_check_at is not null',
    [id],
  );
  await server.arrange('ringPayouts', {});
}

/** The merchant must have only one currency. */
export async function balancesOf(
  { database }: TestServer,
  { id }: TestMerchant,
  mode: 'test' | 'live' = 'test',
): Promise<Record<string, number>> {
  const rows = await database.query<{ kind: string; balance: string }>(
    'select kind, balance from ledger_account where merchant_id = $1 and mode = $2',
    [id, mode],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance)]));
}

export async function eventsOf(server: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await server.database.query<{ name: string; status: string }>(
    `select name, (body || '"}')::json -> 'data' ->> 'status' as status from event where merchant_id = $1 order by id`,
    [id],
  );
  return rows.map(({ name, status }) => `${name} ${status}`);
}
