import type { Command } from 'commander';
import { example, merchantOption } from './arguments.ts';
import type { Actions } from './perform.ts';

export function addLedgerCommands(program: Command, { inSteps }: Actions): void {
  const ledger = program
    .command('ledger')
    .description('the ledger')
    .addHelpText('after', example('tillhook ledger check'));
  ledger
    .command('check')
    .description(
      'check the ledger against the invariants of money; exits with 1 when one is broken, and changes nothing',
    )
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook ledger check'))
    .action(inSteps(() => import('./work/ledger.ts'), 'check', { takesLong: true }));
}
