import type { Command } from 'commander';
import { noteOperatorAct } from '../audit/audit.service.ts';
import type { Merchant } from '../auth/merchants/merchant.entity.ts';
import {
  createMerchant,
  getMerchant,
  listMerchants,
  resumeMerchant,
  setTransferFee,
  suspendMerchant,
} from '../auth/merchants/merchants.service.ts';
import type { WriteContext } from '../context.ts';
import { formatAmount } from '../kit/money.ts';
import { currencyOption, feeOption, nameOption, parseId } from './arguments.ts';
import type { Perform, Report } from './perform.ts';
import { table } from './table.ts';

const headings = ['ID', 'NAME', 'CURRENCY', 'TRANSFER FEE', 'STATUS'];

export function addMerchantCommands(program: Command, perform: Perform): void {
  const merchants = program.command('merchants').description('the businesses that take payments');
  merchants
    .command('create')
    .description('create a merchant and print its id')
    .addOption(nameOption())
    .addOption(currencyOption())
    .action(perform(create));
  merchants.command('list').description('show the merchants').action(perform(list));
  merchants
    .command('set-fee')
    .description('set what each transfer costs this merchant from now on')
    .argument('<id>', 'as merchants list shows it', parseId)
    .addOption(feeOption())
    .action(perform(setFee));
  merchants
    .command('suspend')
    .description('refuse every call of this merchant, and sign its users out')
    .argument('<id>', 'as merchants list shows it', parseId)
    .action(perform(suspend));
  merchants
    .command('resume')
    .description('accept the calls of a suspended merchant again')
    .argument('<id>', 'as merchants list shows it', parseId)
    .action(perform(resume));
}

async function create(context: WriteContext, given: { name: string; currency: string }): Promise<Report> {
  const merchant = createMerchant(context, given);
  const note = `${merchant.name} has no key yet: tillhook keys create --mode test --merchant ${merchant.id}`;
  return { record: merchantRecord(merchant), answer: merchant.id, note };
}

async function list(context: WriteContext): Promise<Report> {
  const merchants = await listMerchants(context);
  const record = merchants.map(merchantRecord);
  if (merchants.length === 0) return { record, note: 'There are no merchants.' };
  const rows = record.map(({ id, name, currency, transferFee, status }) => [
    id,
    name,
    currency,
    String(transferFee),
    status,
  ]);
  return { record, answer: table(headings, rows) };
}

async function setFee(context: WriteContext, { which, amount }: { which: string; amount: bigint }): Promise<Report> {
  const merchant = await getMerchant(context, which);
  setTransferFee(merchant, amount);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'setTransferFee', subject: String(amount) });
  const fee = formatAmount(Number(amount), merchant.currency, 'en');
  const note = `Each transfer of ${merchant.name} in ${merchant.currency} costs ${fee} from now on.`;
  return { record: merchantRecord(merchant), note };
}

async function suspend(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const merchant = await getMerchant(context, which);
  await suspendMerchant(context, merchant);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'suspendMerchant', subject: null });
  return { record: merchantRecord(merchant), note: `${merchant.name} is suspended: its calls are refused.` };
}

async function resume(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const merchant = await getMerchant(context, which);
  resumeMerchant(merchant);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'resumeMerchant', subject: null });
  return { record: merchantRecord(merchant), note: `${merchant.name} is active again: its calls are accepted.` };
}

function merchantRecord(merchant: Merchant) {
  const { id, name, currency, createdAt, suspendedAt } = merchant;
  const transferFee = Number(merchant.transferFee);
  return { id, name, currency, transferFee, status: statusOf(merchant), createdAt, suspendedAt: suspendedAt ?? null };
}

function statusOf({ suspendedAt }: Merchant): 'active' | 'suspended' {
  return suspendedAt ? 'suspended' : 'active';
}
