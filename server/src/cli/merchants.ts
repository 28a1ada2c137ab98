import type { Command } from 'commander';
import { currencyOption, example, feeOption, nameOption, parseId } from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/merchants.ts');
const idArgument = ['<id>', 'as merchants list shows it', parseId] as const;

export function addMerchantCommands(program: Command, { inTransaction }: Actions): void {
  const merchants = program
    .command('merchants')
    .description('the businesses that take payments')
    .addHelpText('after', example('tillhook merchants list'));
  merchants
    .command('create')
    .description('create a merchant and print its id')
    .addOption(nameOption())
    .addOption(currencyOption())
    .addHelpText('after', example("tillhook merchants create --name 'Ada and Sons' --currency NGN"))
    .action(inTransaction(work, 'create'));
  merchants
    .command('list')
    .description('show the merchants')
    .addHelpText('after', example('tillhook merchants list --json'))
    .action(inTransaction(work, 'list'));
  merchants
    .command('set-fee')
    .description('set what each transfer costs this merchant from now on')
    .argument(...idArgument)
    .addOption(feeOption())
    .addHelpText('after', example('tillhook merchants set-fee 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --amount 2500'))
    .action(inTransaction(work, 'setFee'));
  merchants
    .command('suspend')
    .description('refuse every call of this merchant, and sign its users out')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook merchants suspend 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(work, 'suspend'));
  merchants
    .command('resume')
    .description('accept the calls of a suspended merchant again')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook merchants resume 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(work, 'resume'));
}
