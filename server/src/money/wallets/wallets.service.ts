/**
 * Each function posts one kind of movement of money. A movement is posted at most once, in the transaction that changes
 * the payment, refund or transfer under its row's lock. `post.ts` writes the entries.
 */

import type { WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { newId, newReference } from '../../kit/ids.ts';
import { currencyOr, maxInJson } from '../../kit/money.ts';
import { requireTestMode } from '../../people/auth.service.ts';
import { violationOf } from '../../platform/database/constraint-errors.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { type AccountOwner, balanceOf, lockAccounts, type Posting, post } from './post.ts';
import { getWallet, type Wallet } from './statement.service.ts';

interface PaidPayment extends AccountOwner {
  id: string;
  reference: string;
  amount: bigint;
}

type MovedRefund = PaidPayment;

interface MovedTransfer extends PaidPayment {
  fee: bigint;
}

export async function creditCollection(context: WriteContext, payment: PaidPayment): Promise<void> {
  const { amount } = payment;
  await postOrFail(context, {
    ...sourceOf(payment),
    kind: 'payment',
    moves: [{ from: 'processor_clearing', to: 'collection', amount, type: 'payment' }],
  });
}

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

/** A transaction that completes and reverses a transfer must call this function before its two postings. */
export async function lockTransferAccounts(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { owner } = sourceOf(transfer);
  const moved = ['payout_clearing', 'transfer', 'transfer_reserved'] as const;
  await lockAccounts(context, owner, transfer.fee > 0n ? ['fees', ...moved] : moved);
}

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

/** The fee is not returned when the recipient's bank sends the money back. */
export async function reverseSettledTransfer(context: WriteContext, transfer: MovedTransfer): Promise<void> {
  const { amount } = transfer;
  await postOrFail(context, {
    ...sourceOf(transfer),
    kind: 'transfer_reversal',
    moves: [{ from: 'payout_clearing', to: 'transfer', amount, type: 'transfer_reversal' }],
  });
}

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

/** False when the wallet has too little money. Also locks the accounts of the settlement that may follow. */
export async function reserveRefundIfFunded(context: WriteContext, refund: MovedRefund): Promise<boolean> {
  const { owner } = sourceOf(refund);
  await lockAccounts(context, owner, ['collection', 'processor_clearing', 'refund_reserved']);
  if ((await balanceOf(context, owner, 'collection')) < refund.amount) return false;
  await postOrFail(context, reservationOf(refund));
  return true;
}

export async function settleReservedRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  const { amount } = refund;
  await postOrFail(context, {
    ...sourceOf(refund),
    kind: 'refund_settle',
    moves: [{ from: 'refund_reserved', to: 'processor_clearing', amount, type: 'refund' }],
  });
}

export async function returnReservedRefund(context: WriteContext, refund: MovedRefund): Promise<void> {
  const { amount } = refund;
  await postOrFail(context, {
    ...sourceOf(refund),
    kind: 'refund_return',
    moves: [{ from: 'refund_reserved', to: 'collection', amount, type: 'refund_return' }],
  });
}

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

function ownerOf({ principal }: WithPrincipal, { currency }: Funds): AccountOwner {
  const { merchantId, mode } = principal;
  return { merchantId, mode, currency: currencyOr(currency, principal.currency) };
}

function sourceOf({ merchantId, mode, currency, id, reference }: PaidPayment) {
  return { owner: { merchantId, mode, currency }, sourceId: id, reference };
}

// See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
async function postOrRefuse(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, { ...posting, maxBalance: maxInJson })) return;
  // A repeated top-up fails because of its used reference, even if the first top-up has moved all the money.
  if (posting.kind === 'top_up' && (await isReferenceTaken(context, posting)))
    throw violationOf('ledger_top_up_reference_unique');
  if (await isPastMax(context, posting)) throw new AppError('invalid_parameter', pastMax, { param: 'amount' });
  const wallet = posting.moves[0]?.from === 'collection' ? 'Collection' : 'Transfer';
  throw new AppError('insufficient_funds', `The ${wallet} wallet has too little ${posting.owner.currency} for this`, {
    param: 'amount',
  });
}

const pastMax = `amount would bring an account past ${maxInJson}, the most that JSON can say`;

/** Reads one balance, because all moves of a merchant's request credit the same account. */
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

/** The money is reserved or comes from outside, so too little money means a bug in this program. */
async function postOrFail(context: WriteContext, posting: Posting): Promise<void> {
  if (await post(context, posting)) return;
  throw new Error(`An account has too little money for the posting ${posting.kind} of ${posting.sourceId}.`);
}
