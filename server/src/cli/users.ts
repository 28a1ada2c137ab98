import type { Command } from 'commander';
import {
  emailOption,
  example,
  knownEmailOption,
  merchantOption,
  offOption,
  ownerOption,
  roleOption,
} from './arguments.ts';
import type { Actions } from './perform.ts';

const work = () => import('./work/users.ts');

export function addUserCommands(program: Command, { inTransaction }: Actions): void {
  const users = program
    .command('users')
    .description('the people who may sign in to the dashboard')
    .addHelpText('after', example('tillhook users list'));
  users
    .command('create')
    .description('add a user and print the password; it cannot be shown again')
    .addOption(emailOption())
    .addOption(ownerOption())
    .addOption(roleOption())
    .addHelpText('after', example('tillhook users create --email ada@example.com --role viewer'))
    .action(inTransaction(work, 'create'));
  users
    .command('list')
    .description('show the users, their roles, and whether they use two-step sign-in')
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook users list'))
    .action(inTransaction(work, 'list'));
  users
    .command('require-two-step')
    .description("require two-step sign-in: a merchant's users can do nothing else until they turn it on")
    .addOption(merchantOption())
    .addOption(offOption())
    .addHelpText('after', example('tillhook users require-two-step'))
    .action(inTransaction(work, 'requireTwoStep'));
  users
    .command('remove-two-step')
    .description('turn two-step sign-in off for a user who lost both the device and the recovery codes')
    .addOption(knownEmailOption())
    .addHelpText('after', example('tillhook users remove-two-step --email ada@example.com'))
    .action(inTransaction(work, 'turnTwoStepOff'));
  users
    .command('reset-password')
    .description('print a new password and end all sessions of the user')
    .addOption(knownEmailOption())
    .addHelpText('after', example('tillhook users reset-password --email ada@example.com'))
    .action(inTransaction(work, 'reset'));
}
