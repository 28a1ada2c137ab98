import { emailProblem } from '@tillhook/openapi/rules/fields';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import { invalid } from '../kit/errors.ts';
import { newPassword } from '../kit/ids.ts';
import { type Role, roles } from '../kit/permissions.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import { example, merchantOption } from './arguments.ts';
import type { Actions } from './perform.ts';
import type { Report } from './report.ts';

export function addUserCommands(program: Command, { inTransaction }: Actions): void {
  const users = program
    .command('users')
    .description('the people who may sign in to the dashboard')
    .addHelpText('after', example('tillhook users list'));
  users
    .command('create')
    .description('add a user and print the password; it cannot be shown again')
    .addOption(emailOption(parseNewEmail))
    .addOption(merchantOption().default(undefined, 'the only one; for an operator, the oldest'))
    .addOption(
      new Option('--role <role>', 'what the user may do; an operator manages all merchants')
        .choices(roles)
        .argParser(parseRole)
        .default('administrator'),
    )
    .addHelpText('after', example('tillhook users create --email ada@example.com --role viewer'))
    .action(inTransaction(create));
  users
    .command('list')
    .description('show the users, their roles, and whether they use two-step sign-in')
    .addOption(merchantOption().default(undefined, 'of all merchants'))
    .addHelpText('after', example('tillhook users list'))
    .action(inTransaction(list));
  users
    .command('require-two-step')
    .description("require two-step sign-in: a merchant's users can do nothing else until they turn it on")
    .addOption(merchantOption())
    .addOption(new Option('--off', 'stop requiring it'))
    .addHelpText('after', example('tillhook users require-two-step'))
    .action(inTransaction(requireTwoStep));
  users
    .command('remove-two-step')
    .description('turn two-step sign-in off for a user who lost both the device and the recovery codes')
    .addOption(emailOption(parseKnownEmail))
    .addHelpText('after', example('tillhook users remove-two-step --email ada@example.com'))
    .action(inTransaction(turnTwoStepOff));
  users
    .command('remove-passkeys')
    .description('remove all passkeys of a user who lost a device, or whose passkey may have been copied')
    .addOption(emailOption(parseKnownEmail))
    .addHelpText('after', example('tillhook users remove-passkeys --email ada@example.com'))
    .action(inTransaction(removePasskeys));
  users
    .command('reset-password')
    .description('print a new password and end all sessions of the user')
    .addOption(emailOption(parseKnownEmail))
    .addHelpText('after', example('tillhook users reset-password --email ada@example.com'))
    .action(inTransaction(reset));
}

const emailOption = (parse: (text: string) => string) =>
  new Option('--email <email>', "the user's email address").argParser(parse).makeOptionMandatory();

function parseNewEmail(text: string): string {
  const problem = emailProblem(text);
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

/** The first releases called an administrator `merchant`. */
function parseRole(text: string): Role {
  const role = roles.find((one) => one === (text === 'merchant' ? 'administrator' : text));
  if (!role) throw new InvalidArgumentError(`Allowed choices are ${roles.join(', ')}.`);
  return role;
}

/** An existing user's email may break the rules for the emails of new users. */
function parseKnownEmail(text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)) {
    throw new InvalidArgumentError('It is an address such as ada@example.com.');
  }
  return text;
}

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../pages/home/demo-merchant.service.ts')),
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
  ...(await import('../people/sessions/dashboard-users.service.ts')),
  ...(await import('../people/sessions/own-passkeys.service.ts')),
  ...(await import('../people/sessions/two-step.service.ts')),
});

async function create(
  context: WriteContext,
  { email, merchant, role }: { email: string; merchant?: string; role: Role },
): Promise<Report> {
  const { addDashboardUser, demoEmail, noteOperatorAct } = await services();
  if (email.toLowerCase() === demoEmail)
    throw invalid('invalid_parameter', 'email', `${email} is kept for the demo merchant, whose checkouts need no key`);
  const owner = await ownerOf(context, role, merchant);
  const signIn = { email, password: newPassword() };
  await addDashboardUser(context, owner, { ...signIn, role });
  noteOperatorAct(context, { merchantId: owner.id, mode: null, action: 'createUser', subject: email });
  return reportSignIn({ ...signIn, role }, `${email} may sign in to the dashboard of ${owner.name} as ${role}.`);
}

/** An operator manages all merchants, so `--merchant` is optional. The dashboard first shows the oldest merchant. */
async function ownerOf(context: WriteContext, role: Role, id: string | undefined): Promise<Merchant> {
  const { chooseMerchant, listMerchants } = await services();
  if (role !== 'operator' || id !== undefined) return chooseMerchant(context, id);
  const oldest = (await listMerchants(context)).find(({ suspendedAt }) => suspendedAt === null);
  return oldest ?? chooseMerchant(context, id);
}

async function reset(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const { noteOperatorAct, resetPassword } = await services();
  const signIn = { email, password: newPassword() };
  const { merchant } = await resetPassword(context, signIn);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'resetPassword', subject: email });
  return reportSignIn(signIn, `${email} has a new password and is signed out everywhere.`);
}

async function list(context: WriteContext, { merchant }: { merchant?: string }): Promise<Report> {
  const { countPasskeys, listDashboardUsers } = await services();
  const passkeys = await countPasskeys(context);
  const record = (await listDashboardUsers(context, merchant)).map((user) => ({
    email: user.email,
    role: user.role,
    merchant: { id: user.merchant.id, name: user.merchant.name },
    twoStep: { isOn: user.hasTwoStep(), isRequired: user.merchant.requiresTwoStep },
    passkeys: passkeys.get(user.id) ?? 0,
    createdAt: user.createdAt,
  }));
  if (record.length === 0) return { record, note: 'There are no users.' };
  const rows = record.map(({ email, role, merchant: { name }, twoStep, passkeys: count }) => [
    ...[email, role, name, shownTwoStep(twoStep)],
    String(count),
  ]);
  return { record, answer: { headings: ['EMAIL', 'ROLE', 'MERCHANT', 'TWO-STEP', 'PASSKEYS'], rows } };
}

function shownTwoStep({ isOn, isRequired }: { isOn: boolean; isRequired: boolean }): string {
  if (isOn) return 'on';
  return isRequired ? 'off, required' : 'off';
}

async function requireTwoStep(
  context: WriteContext,
  { merchant, off = false }: { merchant?: string; off?: boolean },
): Promise<Report> {
  const { chooseMerchant, noteOperatorAct } = await services();
  const owner = await chooseMerchant(context, merchant);
  owner.requiresTwoStep = !off;
  const action = off ? 'stopRequiringTwoStep' : 'requireTwoStep';
  noteOperatorAct(context, { merchantId: owner.id, mode: null, action, subject: null });
  const record = { merchant: { id: owner.id, name: owner.name }, requiresTwoStep: !off };
  const note = off
    ? `The users of ${owner.name} may sign in with the password alone.`
    : `The users of ${owner.name} must turn two-step sign-in on before they can do anything else.`;
  return { record, note };
}

async function turnTwoStepOff(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const { getLockedUser, noteOperatorAct, removeTwoStep } = await services();
  const user = await getLockedUser(context, email);
  await removeTwoStep(context, user);
  noteOperatorAct(context, { merchantId: user.merchant.id, mode: null, action: 'removeTwoStep', subject: email });
  return { record: { email, twoStep: { isOn: false } }, note: `${email} signs in with the password alone.` };
}

async function removePasskeys(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const { getLockedUser, noteOperatorAct, removePasskeysOf } = await services();
  const user = await getLockedUser(context, email);
  const removed = await removePasskeysOf(context, user);
  noteOperatorAct(context, { merchantId: user.merchant.id, mode: null, action: 'removePasskeys', subject: email });
  const way =
    user.passwordHash == null ? 'has no way to sign in until a password is reset' : 'signs in with the password';
  return { record: { email, removed }, note: `${email} ${way}.` };
}

function reportSignIn(signIn: { email: string; password: string; role?: Role }, message: string): Report {
  return { record: signIn, answer: signIn.password, note: `${message} The password is shown only now.` };
}
