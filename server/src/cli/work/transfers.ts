import { ConfigError } from '../../config/config.ts';
import type { WriteContext } from '../../context.ts';
import {
  accountNumberOf,
  getOperatorTransfer,
  listOperatorTransfers,
  maxListed,
  type Outcome,
  settleByHand,
} from '../../money/transfers/operator-transfers.service.ts';
import type { Transfer, TransferStatus } from '../../money/transfers/transfer.entity.ts';
import { type CommandAction, noteOperatorAct } from '../../people/audit/audit.service.ts';
import { getMerchant, listMerchants } from '../../people/merchants/merchants.service.ts';
import type { Report } from '../report.ts';
import { shownAmount } from './shown-amount.ts';
import { transferRecord, transferSheet, transferTable } from './transfer-record.ts';

export async function list(
  context: WriteContext,
  { status, merchant }: { status?: TransferStatus; merchant?: string },
): Promise<Report> {
  const merchants = new Map((await listMerchants(context)).map((known) => [known.id, known]));
  const transfers = await listOperatorTransfers(context, { ...(status && { status: [status] }), merchantId: merchant });
  const record = transfers.flatMap((transfer) => {
    const owner = merchants.get(transfer.merchantId);
    return owner ? [transferRecord(transfer, owner)] : [];
  });
  if (record.length === 0) return { record, note: status ? `No transfer is ${status}.` : 'No transfer is open.' };
  const answer = transferTable(record, context.clock.now());
  return record.length < maxListed ? { record, answer } : { record, answer, note: `Only ${maxListed} are shown.` };
}

export async function show(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const transfer = await getOperatorTransfer(context, which);
  const accountNumber = opened(context, transfer);
  note(context, 'revealAccountNumber', transfer);
  const { recipient, ...rest } = transferRecord(transfer, await getMerchant(context, transfer.merchantId));
  return {
    record: { ...rest, recipient: { ...recipient, accountNumber } },
    answer: transferSheet({ recipient, ...rest }, accountNumber),
  };
}

function opened(context: WriteContext, transfer: Transfer): string | null {
  try {
    return accountNumberOf(context, transfer);
  } catch (error) {
    throw new ConfigError('MASTER_KEYS: none of them decrypts the account number of this transfer', { cause: error });
  }
}

export async function settle(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { record, amount } = await settleAndAudit(context, which, { result: 'completed' });
  return {
    record,
    note: `${record.reference} is completed: ${record.merchant.name} gets an event that ${amount} arrived.`,
  };
}

interface FailureOptions {
  which: string;
  reason: string;
  code: string;
}

export async function fail(context: WriteContext, { which, reason, code }: FailureOptions): Promise<Report> {
  const { record, transfer } = await settleAndAudit(context, which, { result: 'failed', code, message: reason });
  const back = shownAmount({ amount: Number(transfer.amount + transfer.fee), currency: record.currency });
  return {
    record,
    note: `${record.reference} has failed: ${back} went back to the wallet of ${record.merchant.name}.`,
  };
}

export async function reverse(context: WriteContext, { which, reason, code }: FailureOptions): Promise<Report> {
  const { record, amount } = await settleAndAudit(context, which, { result: 'reversed', code, message: reason });
  return {
    record,
    note: `${record.reference} is reversed: ${amount} went back to the wallet of ${record.merchant.name}.`,
  };
}

const actions = { completed: 'settleTransfer', failed: 'failTransfer', reversed: 'reverseTransfer' } as const;

async function settleAndAudit(context: WriteContext, id: string, outcome: Outcome) {
  const transfer = await settleByHand(context, { id }, outcome);
  note(context, actions[outcome.result], transfer);
  const record = transferRecord(transfer, await getMerchant(context, transfer.merchantId));
  return { record, transfer, amount: shownAmount(record) };
}

function note(context: WriteContext, action: CommandAction, { merchantId, mode, reference }: Transfer): void {
  noteOperatorAct(context, { merchantId, mode, action, subject: reference });
}
