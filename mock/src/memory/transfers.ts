/** As in test mode, the recipient's account number decides how a transfer ends, and the Transfer wallet pays for it. */
import type { Transfer, TransferRequest } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { ownCurrency } from '../examples/seeds.ts';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { type Answers, duplicateReference } from './answers.ts';
import type { Outbox } from './outbox.ts';
import type { KnownTransfer, Remembered } from './remembered.ts';
import type { Wallets } from './wallets.ts';

export interface Transfers {
  answers: Answers;
  settleDue(): void;
  /** Brings forward the next change of all transfers in the mode, and returns their number. */
  advance(mode: Mode, seconds: number): number;
}

/** The contract requires a reference, so it is always present. */
type Order = TransferRequest & { reference: string };

/** The account numbers in test mode whose transfers do not complete immediately. */
const [failing, slow, returned] = ['0000000001', '0000000002', '0000000003'];
const unknownBank = '000';
const slowMs = 30_000;
const returnedMs = 3_000;

export function createTransfers(remembered: Record<Mode, Remembered>, outbox: Outbox, wallets: Wallets): Transfers {
  const waiting = (mode: Mode) => remembered[mode].transfers.items.filter(({ changesAtMs }) => changesAtMs !== null);
  const settleDue = () => {
    for (const mode of ['test', 'live'] as const) {
      for (const known of waiting(mode).reverse()) {
        // After the clock of test mode was advanced, two changes of the same transfer may be due.
        while (known.changesAtMs !== null && known.changesAtMs <= Date.now()) settle(known, outbox, wallets);
      }
    }
  };
  return {
    settleDue,
    advance(mode, seconds) {
      const moved = waiting(mode);
      for (const known of moved) known.changesAtMs = Number(known.changesAtMs) - seconds * 1000;
      settleDue();
      return moved.length;
    },
    answers: {
      createTransfer({ request, mode }) {
        const order = request.body as Order;
        const { amount, currency = ownCurrency, reference, recipient } = order;
        if (mode === 'test' && recipient.bankCode === unknownBank) throw noSuchBank;
        if (remembered[mode].transfers.named(reference)) throw duplicateReference('transfer');
        const type = 'transfer';
        wallets.post(mode, { kind: 'transfer', currency, type, amount: -amount, reserved: amount, reference });
        const known = newTransfer({ ...order, currency }, mode);
        remembered[mode].transfers.add(known);
        // The answer shows the transfer as pending, so the transfer is settled after the answer.
        setImmediate(settleDue);
        return { ...known.transfer };
      },
      getTransfer: ({ request, mode }) => remembered[mode].transfers.named(request.path.reference)?.transfer,
    },
  };
}

const noSuchBank = new ApiError('invalid_recipient', `There is no bank with the code ${unknownBank}`, {
  param: 'recipient',
});

function newTransfer({ recipient, ...order }: Order & { currency: string }, mode: Mode): KnownTransfer {
  const { name, accountNumber, bankCode } = recipient;
  const now = new Date().toISOString();
  const transfer: Transfer = {
    id: newId(),
    reference: order.reference,
    amount: order.amount,
    fee: 0,
    currency: order.currency,
    status: 'pending',
    recipient: { name, accountNumberLast4: accountNumber.slice(-4), bankCode },
    narration: order.narration ?? null,
    metadata: order.metadata ?? {},
    failureCode: null,
    failureReason: null,
    mode,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
  return { transfer, accountNumber, changesAtMs: Date.now() };
}

function settle(known: KnownTransfer, outbox: Outbox, wallets: Wallets): void {
  const { transfer, accountNumber, changesAtMs } = known;
  const { mode, currency, amount, reference, status } = transfer;
  const now = new Date().toISOString();
  transfer.updatedAt = now;
  known.changesAtMs = null;
  const wallet = { kind: 'transfer', currency } as const;
  if (status === 'pending' && accountNumber === slow) {
    transfer.status = 'processing';
    known.changesAtMs = Number(changesAtMs) + slowMs;
    return;
  }
  if (status === 'completed') {
    Object.assign(transfer, { status: 'reversed', failureCode: 'returned_by_bank', failureReason: sentBack });
    wallets.post(mode, { ...wallet, type: 'transfer_reversal', amount, reference });
  } else if (accountNumber === failing) {
    Object.assign(transfer, { status: 'failed', failureCode: 'account_not_found', failureReason: noAccount });
    wallets.post(mode, { ...wallet, type: 'transfer_return', amount, reserved: -amount, reference });
  } else {
    Object.assign(transfer, { status: 'completed', completedAt: now });
    wallets.release(mode, { ...wallet, amount });
    if (accountNumber === returned) known.changesAtMs = Number(changesAtMs) + returnedMs;
  }
  outbox.publish(mode, eventOf(transfer));
}

const noAccount = 'The account does not exist';
const sentBack = "The recipient's bank sent the money back";

function eventOf(transfer: Transfer) {
  const { reference, amount, currency, status, recipient, updatedAt: timestamp } = transfer;
  const { failureCode, failureReason } = transfer;
  const data = { reference, amount, currency, status, recipientName: recipient.name, failureCode, failureReason };
  return { event: status === 'completed' ? 'transfer.success' : 'transfer.failed', data, timestamp };
}
