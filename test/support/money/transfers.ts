import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Returns a recipient of a transfer. In test mode, the account number decides the outcome of the transfer. */
export function recipient(accountNumber = '0123456789', bankCode = '058') {
  return { name: 'Grace Hopper', accountNumber, bankCode };
}

/** Creates a merchant whose Transfer wallet of test mode holds this amount. */
export async function fundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await merchant.client.testHelpers.fundWallet({ amount });
  return merchant;
}

/** Creates a merchant whose Transfer wallet of live mode holds this amount. */
export async function liveFundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await fundLiveWallet(server, merchant, amount);
  return merchant;
}

/**
 * Posts this amount directly to the Transfer wallet of live mode, because no API call can do so: only payments of
 * customers bring money into live mode.
 */
export async function fundLiveWallet(server: TestServer, { id }: TestMerchant, amount: number): Promise<void> {
  await server.arrange('fundLiveWallet', { merchantId: id, amount });
}

/** Credits the Collection wallet of test mode. The amount may exceed the maximum amount of a payment. */
export async function creditCollection(server: TestServer, { id: merchantId }: TestMerchant, amount: number) {
  await server.arrange('creditCollection', { merchantId, amount });
}

/** Sets the fee of each later transfer of this merchant. */
export async function chargeFee(server: TestServer, { id }: TestMerchant, fee: number): Promise<void> {
  await server.database.query('update merchant set transfer_fee = $2 where id = $1', [id, fee]);
}

/** Waits until the transfer has this status, and returns it. */
export async function waitForTransfer(status: string, { client }: TestMerchant, reference: string) {
  return eventually(
    () => client.transfers.get(reference),
    (transfer) => transfer.status === status,
  );
}

/** Makes the next check of the merchant's transfers due, as if enough time had passed, and wakes the worker. */
export async function makeTransfersDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    'update transfer set next_check_at = now() where merchant_id = $1 and next_check_at is not null',
    [id],
  );
  await server.arrange('ringPayouts', {});
}

/**
 * Returns the balance of each account of the merchant in one mode, by kind. The merchant must have one currency only.
 */
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

/** Returns the name and the status of each event of the merchant, oldest first. */
export async function eventsOf(server: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await server.database.query<{ name: string; status: string }>(
    `select name, (body || '"}')::json -> 'data' ->> 'status' as status from event where merchant_id = $1 order by id`,
    [id],
  );
  return rows.map(({ name, status }) => `${name} ${status}`);
}
