import type { Command } from 'commander';
import { codeOption, example, merchantOption, parseId, reasonOption, statusOption } from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/transfers.ts');
const idArgument = ['<id>', 'as transfers list shows it', parseId] as const;

export function addTransferCommands(program: Command, { inTransaction }: Actions): void {
  const transfers = program
    .command('transfers')
    .description('payments to recipients; in live mode you make them by hand')
    .addHelpText('after', example('tillhook transfers list'));
  transfers
    .command('list')
    .description('show open transfers, the oldest first, or with --status ended ones, the newest first')
    .addOption(statusOption())
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook transfers list --status failed'))
    .action(inTransaction(work, 'list'));
  transfers
    .command('show')
    .description('show everything needed to pay the recipient, including the account number; needs MASTER_KEYS')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook transfers show 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(work, 'show', { seals: true }));
  transfers
    .command('settle')
    .description('report that the recipient has the money')
    .argument(...idArgument)
    .addHelpText('after', example('tillhook transfers settle 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e'))
    .action(inTransaction(work, 'settle'));
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
    .action(inTransaction(work, 'fail'));
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
    .action(inTransaction(work, 'reverse'));
}
