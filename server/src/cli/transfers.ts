import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import { dayMs, hourMs } from '../kit/hours.ts';
import type { Outcome } from '../money/transfers/operator-transfers.service.ts';
import type { Transfer, TransferStatus } from '../money/transfers/transfer.entity.ts';
import type { CommandAction } from '../people/audit/audit.service.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import { example, merchantOption, parseId, parseLine } from './arguments.ts';
import type { Actions } from './perform.ts';
import { type Report, shownAmount } from './report.ts';
import type { Sheet, Table } from './table.ts';

const idArgument = ['<id>', 'as transfers list shows it', parseId] as const;

const maxReasonLength = 200;

export function addTransferCommands(program: Command, { inTransaction }: Actions): void {
  const transfers = program
    .command('transfers')
    .description('payments to recipients; in live mode you make them by hand')
    .addHelpText('after', example('tillhook transfers list'));
  transfers
    .command('list')
    .description('show open transfers, the oldest first, or with --status ended ones, the newest first')
    .addOption(
      new Option('--status <status>', 'list only transfers with this status')
        .choices(['pending', 'processing', 'completed', 'failed', 'reversed'])
        .default(undefined, 'the open ones: pending and processing'),
    )
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook transfers list --status failed'))
    .action(inTransaction(list));
  transfers
    .command('show')
    .description('show everything needed to pay the recipient, including the account number; needs MASTER_KEYS')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook transfers show 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(show, { seals: true }));
  transfers
    .command('settle')
    .description('report that the recipient has the money')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook transfers settle 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(settle));
  transfers
    .command('fail')
    .description('report that it cannot be paid; amount and fee go back to the merchant')
    .argument(...idArgument)
    .addOption(reasonOption())
    .addOption(codeOption('payout_failed'))
    .addHelpText(
      'after',
      example("tillhook transfers fail 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --reason 'Account closed'"),
    )
    .action(inTransaction(fail));
  transfers
    .command('reverse')
    .description('report that the money of a settled transfer came back; the amount goes back to the merchant')
    .argument(...idArgument)
    .addOption(reasonOption())
    .addOption(codeOption('returned_by_bank'))
    .addHelpText(
      'after',
      example("tillhook transfers reverse 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --reason 'Returned by the bank'"),
    )
    .action(inTransaction(reverse));
}

const reasonOption = () =>
  new Option('--reason <reason>', 'what happened, in words that the merchant reads')
    .argParser((text) => parseLine(text, maxReasonLength))
    .makeOptionMandatory();

const codeOption = (standard: string) =>
  new Option('--code <code>', "the reason as a code for the merchant's program").argParser(parseCode).default(standard);

function parseCode(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(text)) throw new InvalidArgumentError('It is a code such as account_closed.');
  return text;
}

const services = async () => ({
  ...(await import('../config/config.ts')),
  ...(await import('../money/transfers/operator-transfers.service.ts')),
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
});

async function list(
  context: WriteContext,
  { status, merchant }: { status?: TransferStatus; merchant?: string },
): Promise<Report> {
  const { listMerchants, listOperatorTransfers, maxListed } = await services();
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

async function show(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { ConfigError, accountNumberOf, getMerchant, getOperatorTransfer, noteOperatorAct } = await services();
  const transfer = await getOperatorTransfer(context, which);
  let accountNumber: string | null;
  try {
    accountNumber = accountNumberOf(context, transfer);
  } catch (error) {
    throw new ConfigError('MASTER_KEYS: none of them decrypts the account number of this transfer', { cause: error });
  }
  noteOperatorAct(context, actOn(transfer, 'revealAccountNumber'));
  const { recipient, ...rest } = transferRecord(transfer, await getMerchant(context, transfer.merchantId));
  return {
    record: { ...rest, recipient: { ...recipient, accountNumber } },
    answer: transferSheet({ recipient, ...rest }, accountNumber),
  };
}

async function settle(context: WriteContext, { which }: { which: string }): Promise<Report> {
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

async function fail(context: WriteContext, { which, reason, code }: FailureOptions): Promise<Report> {
  const { record, transfer } = await settleAndAudit(context, which, { result: 'failed', code, message: reason });
  const back = shownAmount({ amount: Number(transfer.amount + transfer.fee), currency: record.currency });
  return {
    record,
    note: `${record.reference} has failed: ${back} went back to the wallet of ${record.merchant.name}.`,
  };
}

async function reverse(context: WriteContext, { which, reason, code }: FailureOptions): Promise<Report> {
  const { record, amount } = await settleAndAudit(context, which, { result: 'reversed', code, message: reason });
  return {
    record,
    note: `${record.reference} is reversed: ${amount} went back to the wallet of ${record.merchant.name}.`,
  };
}

const actions = { completed: 'settleTransfer', failed: 'failTransfer', reversed: 'reverseTransfer' } as const;

async function settleAndAudit(context: WriteContext, id: string, outcome: Outcome) {
  const { getMerchant, noteOperatorAct, settleByHand } = await services();
  const transfer = await settleByHand(context, { id }, outcome);
  noteOperatorAct(context, actOn(transfer, actions[outcome.result]));
  const record = transferRecord(transfer, await getMerchant(context, transfer.merchantId));
  return { record, transfer, amount: shownAmount(record) };
}

function actOn({ merchantId, mode, reference }: Transfer, action: CommandAction) {
  return { merchantId, mode, action, subject: reference };
}

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'MODE', 'STATUS', 'AMOUNT', 'RECIPIENT', 'BANK', 'LAST 4', 'AGE'];
const minuteMs = 60_000;

function transferRecord(transfer: Transfer, merchant: Merchant) {
  const { id, reference, mode, status, currency, recipientName, accountNumberLast4, bankCode } = transfer;
  const { createdAt, updatedAt } = transfer;
  return {
    id,
    reference,
    merchant: { id: merchant.id, name: merchant.name },
    mode,
    status,
    amount: Number(transfer.amount),
    fee: Number(transfer.fee),
    currency,
    recipient: { name: recipientName, accountNumberLast4, bankCode },
    narration: transfer.narration ?? null,
    failureCode: transfer.failureCode ?? null,
    failureReason: transfer.failureReason ?? null,
    createdAt,
    updatedAt,
    completedAt: transfer.completedAt ?? null,
  };
}

type TransferRecord = ReturnType<typeof transferRecord>;

function transferTable(records: readonly TransferRecord[], now: Date): Table {
  const rows = records.map((record) => [
    record.id,
    record.reference,
    record.merchant.name,
    record.mode,
    record.status,
    shownAmount(record),
    record.recipient.name,
    record.recipient.bankCode,
    record.recipient.accountNumberLast4,
    ageOf(record, now),
  ]);
  return { headings, rows };
}

function transferSheet({ recipient, ...record }: TransferRecord, accountNumber: string | null): Sheet {
  const fields = [
    ['id', record.id],
    ['status', record.failureReason ? `${record.status}: ${record.failureReason}` : record.status],
    ['merchant', `${record.merchant.name} (${record.merchant.id})`],
    ['mode', record.mode === 'live' ? 'live' : 'test: do not pay it'],
    ['created', record.createdAt.toISOString()],
    ['amount', shownAmount(record)],
    ['recipient', recipient.name],
    ['bank', recipient.bankCode],
    ['account number', accountNumber ?? `not stored; it ends in ${recipient.accountNumberLast4}`],
    ['reference', record.reference],
    ['narration', record.narration ?? ''],
  ] as const;
  return { fields };
}

function ageOf({ createdAt }: TransferRecord, now: Date): string {
  const ageMs = now.getTime() - createdAt.getTime();
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  return ageMs < 2 * dayMs ? `${Math.floor(ageMs / hourMs)} h` : `${Math.floor(ageMs / dayMs)} days`;
}
