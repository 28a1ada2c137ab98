import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import { isCurrency } from '../kit/money.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import { example, parseId, parseName } from './arguments.ts';
import type { Actions } from './perform.ts';
import { type Report, shownAmount } from './report.ts';

const idArgument = ['<id>', 'as merchants list shows it', parseId] as const;

export function addMerchantCommands(program: Command, { inTransaction }: Actions): void {
  const merchants = program
    .command('merchants')
    .description('the businesses that take payments')
    .addHelpText('after', example('tillhook merchants list'));
  merchants
    .command('create')
    .description('create a merchant and print its id')
    .addOption(new Option('--name <name>', 'as customers see it').argParser(parseName).makeOptionMandatory())
    .addOption(
      new Option('--currency <code>', 'the currency of requests that name none, such as NGN')
        .argParser(parseCurrency)
        .makeOptionMandatory(),
    )
    .addHelpText('after', example("tillhook merchants create --name 'Ada and Sons' --currency NGN"))
    .action(inTransaction(create));
  merchants
    .command('list')
    .description('show the merchants')
    .addHelpText('after', example('tillhook merchants list --json'))
    .action(inTransaction(list));
  merchants
    .command('set-fee')
    .description('set what each transfer costs this merchant from now on')
    .argument(...idArgument)
    .addOption(
      new Option(
        '--amount <amount>',
        "in the minor unit of the merchant's currency, such as 2500 for 25.00; 0 for none",
      )
        .argParser(parseFee)
        .makeOptionMandatory(),
    )
    .addHelpText('after', example('tillhook merchants set-fee 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --amount 2500'))
    .action(inTransaction(setFee));
  merchants
    .command('suspend')
    .description('refuse every call of this merchant, and sign its users out')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook merchants suspend 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(suspend));
  merchants
    .command('resume')
    .description('accept the calls of a suspended merchant again')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook merchants resume 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(resume));
}

function parseCurrency(text: string): string {
  if (!isCurrency(text)) throw new InvalidArgumentError('It is a code of ISO 4217, such as NGN.');
  return text;
}

function parseFee(text: string): bigint {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0 to 999999999999.');
  return BigInt(text);
}

const services = async () => ({
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
});

const headings = ['ID', 'NAME', 'CURRENCY', 'TRANSFER FEE', 'STATUS'];

async function create(context: WriteContext, given: { name: string; currency: string }): Promise<Report> {
  const { createMerchant } = await services();
  const merchant = createMerchant(context, given);
  const note = `${merchant.name} has no key yet: tillhook keys create --mode test --merchant ${merchant.id}`;
  return { record: merchantRecord(merchant), answer: merchant.id, note };
}

async function list(context: WriteContext): Promise<Report> {
  const { listMerchants } = await services();
  const merchants = await listMerchants(context);
  const record = merchants.map(merchantRecord);
  if (merchants.length === 0) return { record, note: 'There are no merchants.' };
  const rows = record.map(({ id, name, currency, transferFee, status }) => [
    id,
    name,
    currency,
    shownAmount({ amount: transferFee, currency }),
    status,
  ]);
  return { record, answer: { headings, rows } };
}

async function setFee(context: WriteContext, { which, amount }: { which: string; amount: bigint }): Promise<Report> {
  const { getMerchant, noteOperatorAct, setTransferFee } = await services();
  const merchant = await getMerchant(context, which);
  setTransferFee(merchant, amount);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'setTransferFee', subject: String(amount) });
  const fee = shownAmount({ amount: Number(amount), currency: merchant.currency });
  const note = `Each transfer of ${merchant.name} costs ${fee} from now on.`;
  return { record: merchantRecord(merchant), note };
}

async function suspend(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { getMerchant, noteOperatorAct, suspendMerchant } = await services();
  const merchant = await getMerchant(context, which);
  await suspendMerchant(context, merchant);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'suspendMerchant', subject: null });
  return { record: merchantRecord(merchant), note: `${merchant.name} is suspended: its calls are refused.` };
}

async function resume(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { getMerchant, noteOperatorAct, resumeMerchant } = await services();
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
