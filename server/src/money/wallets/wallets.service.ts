/**
 * The public file of the ledger. It has one function for each movement of money, named for what happened. A movement is posted at
 * most once, in the transaction that changes the payment, refund or transfer, under the lock of that row. `post.ts` writes the
 * entries, and `statement.service.ts` shows them to merchants.
 */

import type { WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { newId, newReference } from '../../kit/ids.ts';
import { currencyOr, maxInJson } from '../../kit/money.ts';
import { requireTestMode } from '../../people/auth.service.ts';
import { violationOf } from '../../platform/database/constraint-errors.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { balanceOf, lockAccounts, type Owner, type Posting, post } from './post.ts';
import { getWallet, type Wallet } from './statement.service.ts';

/** The part of a completed payment that the ledger needs. */
interface PaidPayment extends Owner {
  id: string;
  reference: string;
  amount: bigint;
}

/** The part of a refund that the ledger needs. */
type MovedRefund = PaidPayment;

interface MovedTransfer extends PaidPayment {
  fee: bigint;
}

/** A customer paid: credits the Collection wallet. */
export async function creditCollection(context: WriteContext, payment: PaidPayment): Promise<void> {
  const { amount } = payment;
  await postOrFail(context, {
    ...sourceOf(payment),
    kind: 'payment',
    moves: [{ from: 'processor_clearing', to: 'collection', amount, type: 'payment' }],
  });
}

/** Reserves amount and fee in the Transfer wallet. Throws `insufficient_funds` when it has too little. */
export async function reserveTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await postOrRefuse(context, {
    ...sourceOf(transfer),
    kind: 'transfer_reserve',
    moves: [
      { from: 'transfer', to: 'transfer_reserved', amount, type: 'transfer' },
      { from: 'transfer', to: 'transfer_reserved', amount: fee, type: 'fee' },
    ],
  });
}

/** Locks all accounts for a transfer that is completed and reversed in one transaction, before its two postings. */
export async function lockTransferAccounts(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { owner } = sourceOf(transfer);
  const moved = ['payout_clearing', 'transfer', 'transfer_reserved'] as const;
  await lockAccounts(context, owner, transfer.fee > 0n ? ['fees', ...moved] : moved);
}

/** The recipient has the money: the reserved amount and fee leave the wallet. */
export async function settleReservedTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await postOrFail(context, {
    ...sourceOf(transfer),
    kind: 'transfer_settle',
    moves: [
      { from: 'transfer_reserved', to: 'payout_clearing', amount, type: 'transfer' },
      { from: 'transfer_reserved', to: 'fees', amount: fee, type: 'fee' },
    ],
  });
}

/** The transfer failed: the reserved amount and fee go back to the Transfer wallet. */
export async function returnReservedTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount, fee } = transfer;
  await postOrFail(context, {
    ...sourceOf(transfer),
    kind: 'transfer_return',
    moves: [
      { from: 'transfer_reserved', to: 'transfer', amount, type: 'transfer_return' },
      { from: 'transfer_reserved', to: 'transfer', amount: fee, type: 'fee' },
    ],
  });
}

/** The recipient's bank sent the money back: the amount is credited to the Transfer wallet again, the fee is not. */
export async function reverseSettledTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount } = transfer;
  await postOrFail(context, {
    ...sourceOf(transfer),
    kind: 'transfer_reversal',
    moves: [{ from: 'payout_clearing', to: 'transfer', amount, type: 'transfer_reversal' }],
  });
}

/** Reserves the amount in the Collection wallet. Throws `insufficient_funds` when it has too little. */
export async function reserveRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  await postOrRefuse(context, reservationOf(refund));
}

function reservationOf(refund: MovedRefund): Posting {
  const { amount } = refund;
  return {
    ...sourceOf(refund),
    kind: 'refund_reserve',
    moves: [{ from: 'collection', to: 'refund_reserved', amount, type: 'refund' }],
  };
}

/**
 * Reserves the amount for a refund that was made at the processor. False, and nothing is written, when the Collection
 * wallet has too little. It locks the accounts of the posting that may follow in this transaction too.
 */
export async function reserveRefundIfFunded(context: WriteContext, refund: MovedRefund): Promise<boolean> {
  const { owner } = sourceOf(refund);
  await lockAccounts(context, owner, ['collection', 'processor_clearing', 'refund_reserved']);
  if ((await balanceOf(context, owner, 'collection')) < refund.amount) return false;
  await postOrFail(context, reservationOf(refund));
  return true;
}

/** The customer has the money: the reserved amount leaves the wallet. */
export async function settleReservedRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  const { amount } = refund;
  await postOrFail(context, {
    ...sourceOf(refund),
    kind: 'refund_settle',
    moves: [{ from: 'refund_reserved', to: 'processor_clearing', amount, type: 'refund' }],
  });
}

/** The refund failed: the reserved amount goes back to the Collection wallet. */
export async function returnReservedRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  const { amount } = refund;
  await postOrFail(context, {
    ...sourceOf(refund),
    kind: 'refund_return',
    moves: [{ from: 'refund_reserved', to: 'collection', amount, type: 'refund_return' }],
  });
}

/** The money of a completed refund came back from the customer's bank: it is credited to the Collection wallet again. */
export async function reverseSettledRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  const { amount } = refund;
  await postOrFail(context, {
    ...sourceOf(refund),
    kind: 'refund_reversal',
    moves: [{ from: 'processor_clearing', to: 'collection', amount, type: 'refund_return' }],
  });
}

interface Funds {
  amount: number;
  currency?: string;
  reference?: string;
}

/**
 * Moves money from the Collection wallet to the Transfer wallet. Throws `insufficient_funds` when there is too little.
 */
export async function topUpTransferWallet(context: WriteContext & WithPrincipal, funds: Funds): Promise<Wallet> {
  const owner = ownerOf(context, funds);
  await postOrRefuse(context, {
    owner,
    kind: 'top_up',
    sourceId: newId(),
    reference: funds.reference ?? newReference(),
    moves: [{ from: 'collection', to: 'transfer', amount: BigInt(funds.amount), type: 'top_up' }],
  });
  return getWallet(context, 'transfer', owner.currency);
}

/** Credits the Transfer wallet with test money. In live mode it throws. */
export async function fundTestWallet(context: WriteContext & WithPrincipal, funds: Funds): Promise<Wallet> {
  requireTestMode(context.principal);
  const owner = ownerOf(context, funds);
  await postOrRefuse(context, {
    owner,
    kind: 'test_funding',
    sourceId: newId(),
    reference: null,
    moves: [{ from: 'funding', to: 'transfer', amount: BigInt(funds.amount), type: 'test_funding' }],
  });
  return getWallet(context, 'transfer', owner.currency);
}

function ownerOf({ principal }: WithPrincipal, { currency }: Funds): Owner {
  const { merchantId, mode } = principal;
  return { merchantId, mode, currency: currencyOr(currency, principal.currency) };
}

function sourceOf({ merchantId, mode, currency, id, reference }: PaidPayment) {
  return { owner: { merchantId, mode, currency }, sourceId: id, reference };
}

/**
 * Posts a movement that a merchant asks for. Throws `insufficient_funds` when the wallet has too little, and `invalid_parameter` when
 * an account would have more than JSON can say.
 * See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
 */
async function postOrRefuse(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, { ...posting, maxBalance: maxInJson })) return;
  // A repeated top-up gets the error of its reference, and not of too little money, because the first one moved the money.
  if (posting.kind === 'top_up' && (await isReferenceTaken(context, posting)))
    throw violationOf('ledger_top_up_reference_unique');
  if (await isPastMax(context, posting)) throw new AppError('invalid_parameter', pastMax, { param: 'amount' });
  const wallet = posting.moves[0]?.from === 'collection' ? 'Collection' : 'Transfer';
  throw new AppError('insufficient_funds', `The ${wallet} wallet has too little ${posting.owner.currency} for this`, {
    param: 'amount',
  });
}

const pastMax = `amount would bring an account past ${maxInJson}, the most that JSON can say`;

/** Whether the account that gets the money would have too much. All moves of a merchant's request go to one account. */
async function isPastMax(context: WriteContext, { owner, moves }: Posting): Promise<boolean> {
  const [first] = moves;
  if (!first) return false;
  const balance = await balanceOf(context, owner, first.to);
  return moves.reduce((sum, { amount }) => sum + amount, balance) > maxInJson;
}

async function isReferenceTaken(context: WriteContext, { owner, reference }: Posting): Promise<boolean> {
  const rows = await rowsOf(context)`
    select id from ledger_transaction
    where merchant_id = ${owner.merchantId} and mode = ${owner.mode} and kind = 'top_up' and reference = ${reference}`;
  return rows.length > 0;
}

/**
 * Posts a movement that has happened already. The funds are reserved, or
 * come from outside, so too little money is a fault of this program.
 */
async function postOrFail(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, posting)) return;
  throw new Error(`An account has too little for the ${posting.kind} of ${posting.sourceId}.`);
}
