import type { Command } from 'commander';
import { noteOperatorAct } from '../audit/audit.service.ts';
import { addDashboardUser, resetPassword } from '../auth/dashboard-users.service.ts';
import type { WriteContext } from '../context.ts';
import { newPassword } from '../kit/ids.ts';
import { emailOption, merchantOption } from './arguments.ts';
import { chooseMerchant } from './choose-merchant.ts';
import type { Perform, Report } from './perform.ts';

export function addUserCommands(program: Command, perform: Perform): void {
  const users = program.command('users').description('who may sign in to the dashboard');
  users
    .command('create')
    .description('let somebody sign in, and print the password: the only moment at which it can be read')
    .addOption(emailOption())
    .addOption(merchantOption())
    .action(perform(create));
  users
    .command('reset-password')
    .description('print a new password and sign its owner out everywhere')
    .addOption(emailOption())
    .action(perform(reset));
}

async function create(
  context: WriteContext,
  { email, merchant }: { email: string; merchant?: string },
): Promise<Report> {
  const employer = await chooseMerchant(context, merchant);
  const signIn = { email, password: newPassword() };
  await addDashboardUser(context, employer, signIn);
  noteOperatorAct(context, { merchantId: employer.id, mode: null, action: 'createUser', subject: email });
  return reportSignIn(signIn, `${email} may sign in to the dashboard of ${employer.name}.`);
}

async function reset(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const signIn = { email, password: newPassword() };
  const { merchant } = await resetPassword(context, signIn);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'resetPassword', subject: email });
  return reportSignIn(signIn, `${email} has a new password and is signed out everywhere.`);
}

function reportSignIn(signIn: { email: string; password: string }, about: string): Report {
  return { record: signIn, answer: signIn.password, note: `${about} The password is shown only now.` };
}
