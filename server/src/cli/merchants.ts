import type { Command } from 'commander';
import { noteOperatorAct } from '../audit/audit.service.ts';
import type { Merchant } from '../auth/merchant.entity.ts';
import {
  createMerchant,
  getMerchant,
  listMerchants,
  resumeMerchant,
  suspendMerchant,
} from '../auth/merchants.service.ts';
import type { WriteContext } from '../context.ts';
import { currencyOption, nameOption, parseId } from './arguments.ts';
import { perform, type Report } from './perform.ts';
import { table } from './table.ts';

const headings = ['ID', 'NAME', 'CURRENCY', 'STATUS'];

export function addMerchantCommands(program: Command): void {
  const merchants = program.command('merchants').description('who takes payments');
  merchants
    .command('create')
    .description('make a merchant and print its id')
    .addOption(nameOption())
    .addOption(currencyOption())
    .action(perform(create));
  merchants.command('list').description('show the merchants').action(perform(list));
  merchants
    .command('suspend')
    .description('refuse every call of this merchant, and sign its people out')
    .argument('<id>', 'as merchants list shows it', parseId)
    .action(perform(suspend));
  merchants
    .command('resume')
    .description('let the calls of a suspended merchant in again')
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
  if (merchants.length === 0) return { record, note: 'There is no merchant.' };
  const rows = merchants.map((merchant) => [merchant.id, merchant.name, merchant.currency, statusOf(merchant)]);
  return { record, answer: table(headings, rows) };
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
  return { record: merchantRecord(merchant), note: `${merchant.name} may call again.` };
}

function merchantRecord(merchant: Merchant) {
  const { id, name, currency, createdAt, suspendedAt } = merchant;
  return { id, name, currency, status: statusOf(merchant), createdAt, suspendedAt: suspendedAt ?? null };
}

function statusOf({ suspendedAt }: Merchant): 'active' | 'suspended' {
  return suspendedAt ? 'suspended' : 'active';
}
