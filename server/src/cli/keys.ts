import type { Command } from 'commander';
import { example, keyNameOption, merchantOption, modeOption, overlapOption, scopesOption } from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/keys.ts');

export function addKeyCommands(program: Command, { inTransaction }: Actions): void {
  const keys = program.command('keys').description('API keys').addHelpText('after', example('tillhook keys list'));
  keys
    .command('create')
    .description('create a key and print it; it cannot be shown again')
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(scopesOption())
    .addOption(keyNameOption())
    .addHelpText('after', example("tillhook keys create --mode test --name 'Web shop'"))
    .action(inTransaction(work, 'create'));
  keys
    .command('list')
    .description('show the keys, including revoked and expired ones')
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook keys list --json'))
    .action(inTransaction(work, 'list'));
  keys
    .command('roll')
    .description('replace a key and print its successor')
    .argument('<key>', 'its id or prefix, as keys list shows it')
    .addOption(overlapOption())
    .addHelpText('after', example('tillhook keys roll sk_test_a1b2 --overlap 24h'))
    .action(inTransaction(work, 'roll'));
  keys
    .command('revoke')
    .description('revoke a key; it stops working at once')
    .argument('<key>', 'its id or prefix, as keys list shows it')
    .addHelpText('after', example('tillhook keys revoke sk_test_a1b2'))
    .action(inTransaction(work, 'revoke'));
}
