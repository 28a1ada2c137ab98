/**
 * The ledger's door: every movement of money that exists, each named for what happened. A movement is written in the
 * transaction that makes it true, under the lock of the payment or transfer that it is for, and is posted at most once. How
 * it is written is left to `post.ts`, and what a merchant sees of it to `statement.service.ts`.
 */
import type { Called, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { newId, newReference } from '../kit/ids.ts';
import { currencyOr } from '../kit/money.ts';
import { lockAccounts, type Owner, type Posting, post } from './post.ts';
import { getWallet, type Wallet } from './statement.service.ts';

/** A completed payment, as far as the ledger cares. */
interface PaidPayment extends Owner {
  id: string;
  reference: string;
  amount: bigint;
}

interface MovedTransfer extends PaidPayment {
  fee: bigint;
}

/** A customer paid: the Collection wallet has more. */
export async function creditCollection(context: WriteContext, payment: PaidPayment): Promise<void> {
  const { amount } = payment;
  await mustPost(context, {
    ...sourceOf(payment),
    kind: 'payment',
    moves: [{ from: 'processor_clearing', to: 'collection', amount, type: 'payment' }],
  });
}

/** Sets amount and fee aside in the Transfer wallet, or throws `insufficient_funds`. */
export async function reserveTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await spend(context, {
    ...sourceOf(transfer),
    kind: 'transfer_reserve',
    moves: [
      { from: 'transfer', to: 'transfer_reserved', amount, type: 'transfer' },
      { from: 'transfer', to: 'transfer_reserved', amount: fee, type: 'fee' },
    ],
  });
}

/** Goes before the two movements of a transfer that was completed and came back at once. */
export async function holdTransferAccounts(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { owner } = sourceOf(transfer);
  const moved = ['payout_clearing', 'transfer', 'transfer_reserved'] as const;
  await lockAccounts(context, owner, transfer.fee > 0n ? ['fees', ...moved] : moved);
}

/** The recipient has the money. */
export async function settleReserved(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await mustPost(context, {
    ...sourceOf(transfer),
    kind: 'transfer_settle',
    moves: [
      { from: 'transfer_reserved', to: 'payout_clearing', amount, type: 'transfer' },
      { from: 'transfer_reserved', to: 'fees', amount: fee, type: 'fee' },
    ],
  });
}

/** The transfer failed: what was set aside comes back, the fee too. */
export async function returnReserved(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await mustPost(context, {
    ...sourceOf(transfer),
    kind: 'transfer_return',
    moves: [
      { from: 'transfer_reserved', to: 'transfer', amount, type: 'transfer_return' },
      { from: 'transfer_reserved', to: 'transfer', amount: fee, type: 'fee' },
    ],
  });
}

/** The recipient's bank sent the money back. The fee was earned, and stays. */
export async function reverseSettled(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount } = transfer;
  await mustPost(context, {
    ...sourceOf(transfer),
    kind: 'transfer_reversal',
    moves: [{ from: 'payout_clearing', to: 'transfer', amount, type: 'transfer_reversal' }],
  });
}

interface Funds {
  amount: number;
  currency?: string;
  reference?: string;
}

/** Moves what customers paid to where transfers are made from, or throws `insufficient_funds`. */
export async function topUpTransferWallet(context: WriteContext & Called, funds: Funds): Promise<Wallet> {
  const owner = ownerOf(context, funds);
  await spend(context, {
    owner,
    kind: 'top_up',
    sourceId: newId(),
    reference: funds.reference ?? newReference(),
    moves: [{ from: 'collection', to: 'transfer', amount: BigInt(funds.amount), type: 'top_up' }],
  });
  return getWallet(context, 'transfer', owner.currency);
}

/** Money out of nothing, which only test mode has. */
export async function fundTestWallet(context: WriteContext & Called, funds: Funds): Promise<Wallet> {
  if (context.principal.mode !== 'test') throw new AppError('test_mode_only', 'This operation works in test mode only');
  const owner = ownerOf(context, funds);
  await mustPost(context, {
    owner,
    kind: 'test_funding',
    sourceId: newId(),
    reference: null,
    moves: [{ from: 'funding', to: 'transfer', amount: BigInt(funds.amount), type: 'test_funding' }],
  });
  return getWallet(context, 'transfer', owner.currency);
}

function ownerOf({ principal }: Called, { currency }: Funds): Owner {
  const { merchantId, mode } = principal;
  return { merchantId, mode, currency: currencyOr(currency, principal.currency) };
}

function sourceOf({ merchantId, mode, currency, id, reference }: PaidPayment) {
  return { owner: { merchantId, mode, currency }, sourceId: id, reference };
}

/** For what a merchant asks for, and may not be able to afford. */
async function spend(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, posting)) return;
  const wallet = posting.moves[0]?.from === 'collection' ? 'Collection' : 'Transfer';
  throw new AppError('insufficient_funds', `The ${wallet} wallet has too little ${posting.owner.currency} for this`, {
    param: 'amount',
  });
}

/** For what has happened already: the funds were set aside before, or come from outside. */
async function mustPost(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, posting)) return;
  throw new Error(`The ledger cannot bear the ${posting.kind} of ${posting.sourceId}.`);
}
