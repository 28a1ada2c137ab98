import type { Command } from 'commander';
import {
  example,
  fromOption,
  merchantOption,
  modeOption,
  mostListed,
  refundStatusOption,
  toOption,
} from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/refunds.ts');

export function addRefundCommands(program: Command, { inTransaction }: Actions): void {
  const refunds = program
    .command('refunds')
    .description('money that goes back to customers')
    .addHelpText('after', example('tillhook refunds list --mode live'));
  refunds
    .command('list')
    .description(`show the newest ${mostListed} refunds of a merchant`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(refundStatusOption())
    .addOption(fromOption())
    .addOption(toOption())
    .addHelpText('after', example('tillhook refunds list --mode live --status failed'))
    .action(inTransaction(work, 'list'));
  refunds
    .command('show')
    .description('show one refund, and why it failed')
    .argument('<reference>', 'as refunds list shows it')
    .addOption(modeOption())
    .addOption(merchantOption())
    .addHelpText('after', example('tillhook refunds show refund-1 --mode live'))
    .action(inTransaction(work, 'show'));
}
