import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Someone to pay. In test mode the account number decides what becomes of the transfer. */
export function recipient(accountNumber = '0123456789', bankCode = '058') {
  return { name: 'Grace Hopper', accountNumber, bankCode };
}

/** A merchant whose Transfer wallet of test mode holds this much. */
export async function fundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await merchant.client.testHelpers.fundWallet({ amount });
  return merchant;
}

/** The same in live mode. */
export async function liveFundedMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await fundLiveWallet(server, merchant, amount);
  return merchant;
}

/** By a posting that no call makes: in live mode, funds come from customers' payments alone. */
export async function fundLiveWallet(server: TestServer, { id }: TestMerchant, amount: number): Promise<void> {
  await server.arrange('fundLiveWallet', { merchantId: id, amount });
}

/** Puts more into the Collection wallet of test mode than any payment does. */
export async function creditCollection(server: TestServer, { id: merchantId }: TestMerchant, amount: number) {
  await server.arrange('creditCollection', { merchantId, amount });
}

/** What each transfer costs this merchant from now on. */
export async function chargeFee(server: TestServer, { id }: TestMerchant, fee: number): Promise<void> {
  await server.database.query('update merchant set transfer_fee = $2 where id = $1', [id, fee]);
}

/** The transfer, as soon as it has this status. */
export async function waitForTransfer(status: string, { client }: TestMerchant, reference: string) {
  return eventually(
    () => client.transfers.get(reference),
    (transfer) => transfer.status === status,
  );
}

/** Makes the next look at a transfer due, as the time that it waits for would. */
export async function makeTransfersDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    'update transfer set next_check_at = now() where merchant_id = $1 and next_check_at is not null',
    [id],
  );
  await server.arrange('ringPayouts', {});
}

/** What each account of the merchant holds, of one mode and one currency. */
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

/** The names and statuses of the merchant's events, oldest first. */
export async function eventsOf(server: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await server.database.query<{ name: string; status: string }>(
    `select name, (body || '"}')::json -> 'data' ->> 'status' as status from event where merchant_id = $1 order by id`,
    [id],
  );
  return rows.map(({ name, status }) => `${name} ${status}`);
}
