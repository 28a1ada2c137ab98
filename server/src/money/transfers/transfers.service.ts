import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { currencyOr } from '../../kit/money.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { transferFeeOf } from '../../people/merchants/merchants.service.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { run } from '../../platform/database/statement.ts';
import { whereFound } from '../../text-search/text-search.service.ts';
import { reserveTransfer } from '../wallets/wallets.service.ts';
import { Transfer, type TransferStatus } from './transfer.entity.ts';

interface TransferDetails {
  reference: string;
  amount: number;
  currency?: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration?: string;
  metadata?: Record<string, string>;
}

/** In test mode, every bank code except `000` exists. */
const unknownTestBank = '000';

export async function startTransfer(
  context: WriteContext & WithPrincipal,
  details: TransferDetails,
): Promise<Transfer> {
  const { mode, currency: ownCurrency } = context.principal;
  const currency = currencyOr(details.currency, ownCurrency);
  checkRecipient(details, mode);
  if (!context.payouts.serves(mode)) {
    throw new AppError('processor_not_configured', `No payout processor is configured for ${mode} mode`);
  }
  const transfer = newTransfer(context, details, { currency, fee: await feeFor(context, currency) });
  // All transactions write the transfer's row before they lock the wallet, which prevents deadlocks.
  await insertTransfer(context, transfer);
  await reserveTransfer(context, transfer);
  context.afterCommit(context.payouts.ring);
  return transfer;
}

export interface TransferFilter {
  status?: readonly TransferStatus[];
  reference?: string;
  search?: string;
  from?: string;
  to?: string;
}

export async function listTransfers(
  context: Context & WithPrincipal,
  filter: TransferFilter,
  page: Page,
): Promise<Paged<Transfer>> {
  const { merchantId, mode } = context.principal;
  const where = await matching(context, filter);
  return listPage(context, Transfer, { owner: { merchantId, mode }, where, page });
}

export async function* readTransfers(
  context: Context & WithPrincipal,
  filter: TransferFilter,
): AsyncIterableIterator<Transfer[]> {
  yield* readInBatches(context, Transfer, { where: await matching(context, filter), by: 'id' });
}

async function matching(context: Context & WithPrincipal, filter: TransferFilter) {
  const { merchantId, mode } = context.principal;
  const { status, reference } = filter;
  return {
    merchantId,
    mode,
    ...(status && { status: { $in: [...status] } }),
    ...(reference && { reference }),
    ...createdWithin(timeOf(filter)),
    ...(await whereFound(context, 'transfer', filter)),
  };
}

export async function getTransfer(context: Context & WithPrincipal, reference: string): Promise<Transfer> {
  const { merchantId, mode } = context.principal;
  const transfer = await context.em.findOne(Transfer, { merchantId, mode, reference });
  if (!transfer) throw notFound();
  return transfer;
}

function checkRecipient({ recipient }: TransferDetails, mode: Mode): void {
  if (mode !== 'test' || recipient.bankCode !== unknownTestBank) return;
  throw new AppError('invalid_recipient', `There is no bank with the code ${unknownTestBank}`, { param: 'recipient' });
}

/** Choice: the merchant's fee is in the merchant's own currency, so a transfer in another currency is free. */
async function feeFor(context: WriteContext & WithPrincipal, currency: string): Promise<bigint> {
  if (currency !== context.principal.currency) return 0n;
  return transferFeeOf(context, context.principal.merchantId);
}

function newTransfer(
  { principal, clock, sealer, span }: WriteContext & WithPrincipal,
  details: TransferDetails,
  { currency, fee }: { currency: string; fee: bigint },
): Transfer {
  const { reference, amount, recipient, narration, metadata } = details;
  const id = newId();
  const now = clock.now();
  return Object.assign(new Transfer(), {
    id,
    merchantId: principal.merchantId,
    mode: principal.mode,
    reference,
    amount: BigInt(amount),
    fee,
    currency,
    status: 'pending' as const,
    recipientName: recipient.name,
    sealedAccountNumber: sealer.seal(recipient.accountNumber, id),
    accountNumberLast4: recipient.accountNumber.slice(-4),
    bankCode: recipient.bankCode,
    narration: narration ?? null,
    metadata: metadata ?? {},
    failureCode: null,
    failureReason: null,
    traceparent: span?.traceparent ?? null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  });
}

/** The SQL is written by hand, because Postgres would plan the ORM's statement for every transfer. */
export async function insertTransfer(tx: WriteContext, transfer: Transfer): Promise<void> {
  await run(tx)`
    insert into transfer
      (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name, sealed_account_number,
       account_number_last4, bank_code, narration, metadata, traceparent, created_at, updated_at)
    values
      (${transfer.id}, ${transfer.merchantId}, ${transfer.mode}, ${transfer.reference}, ${transfer.amount.toString()},
       ${transfer.fee.toString()}, ${transfer.currency}, ${transfer.status}, ${transfer.recipientName},
       ${transfer.sealedAccountNumber}, ${transfer.accountNumberLast4}, ${transfer.bankCode}, ${transfer.narration},
       ${JSON.stringify(transfer.metadata)}, ${transfer.traceparent}, ${transfer.createdAt}, ${transfer.updatedAt})`;
}
