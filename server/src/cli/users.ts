import { emailProblem } from '@tillhook/openapi/rules/fields';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import { canonicalEmail } from '../kit/email.ts';
import { newPassword } from '../kit/ids.ts';
import { type MemberRole, memberRoles, type Role, roles } from '../kit/permissions.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import type { DashboardUser } from '../people/sessions/dashboard-user.entity.ts';
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
    .addOption(roleOption(roles).default('administrator'))
    .addHelpText('after', example('tillhook users create --email ada@example.com --role viewer'))
    .action(inTransaction(create));
  users
    .command('invite')
    .description('print a link by which a person becomes a user of a merchant; it works once, for seven days')
    .addOption(emailOption(parseNewEmail))
    .addOption(merchantOption())
    .addOption(roleOption(memberRoles).default('administrator'))
    .addHelpText('after', example('tillhook users invite --email ada@example.com --role developer'))
    .action(inTransaction(invitePerson));
  users
    .command('set-role')
    .description('change what a user may do; the new role holds at once')
    .addOption(emailOption(parseKnownEmail))
    .addOption(roleOption(roles).makeOptionMandatory())
    .addHelpText('after', example('tillhook users set-role --email ada@example.com --role viewer'))
    .action(inTransaction(setRole));
  users
    .command('remove')
    .description('remove a user and end all sessions of the user')
    .addOption(emailOption(parseKnownEmail))
    .addHelpText('after', example('tillhook users remove --email ada@example.com'))
    .action(inTransaction(remove));
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
    .description(
      'remove all passkeys of a user who lost a device or whose passkey may have been copied, and end their sessions',
    )
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
  return canonicalEmail(text);
}

/** The first releases called an administrator `merchant`. */
function roleOption(choices: readonly Role[]): Option {
  const parse = (text: string) => {
    const role = choices.find((one) => one === (text === 'merchant' ? 'administrator' : text));
    if (!role) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return role;
  };
  const about = choices.includes('operator') ? '; an operator manages all merchants' : '';
  return new Option('--role <role>', `what the user may do${about}`).choices(choices).argParser(parse);
}

/** An existing user's email may break the rules for the emails of new users. */
function parseKnownEmail(text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)) {
    throw new InvalidArgumentError('It is an address such as ada@example.com.');
  }
  return canonicalEmail(text);
}

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../people/audit/audit.service.ts')),
  ...(await import('../people/merchants/merchants.service.ts')),
  ...(await import('../people/sessions/dashboard-users.service.ts')),
  ...(await import('../people/sessions/demo-email.ts')),
  ...(await import('../people/account/own-passkeys.service.ts')),
  ...(await import('../people/account/two-step.service.ts')),
  ...(await import('../people/team/invitations.service.ts')),
  ...(await import('../people/team/team.service.ts')),
});

async function create(
  context: WriteContext,
  { email, merchant, role }: { email: string; merchant?: string; role: Role },
): Promise<Report> {
  const { addDashboardUser, noteOperatorAct, refuseDemoEmail } = await services();
  refuseDemoEmail(email);
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

async function invitePerson(
  context: WriteContext,
  { email, merchant, role }: { email: string; merchant?: string; role: MemberRole },
): Promise<Report> {
  const { chooseMerchant, invite, lockMerchant, noteOperatorAct } = await services();
  const owner = await chooseMerchant(context, merchant);
  await lockMerchant(context, owner.id);
  const { invitation, link } = await invite(context, owner, { email, role, invitedBy: null });
  noteOperatorAct(context, { merchantId: owner.id, mode: null, action: 'inviteMember', subject: email });
  const record = { email, role, merchant: { id: owner.id, name: owner.name }, expiresAt: invitation.expiresAt, link };
  return {
    record,
    answer: link,
    note: `Give this link to ${email}. It works once, until ${invitation.expiresAt.toISOString()}.`,
  };
}

async function setRole(context: WriteContext, { email, role }: { email: string; role: Role }): Promise<Report> {
  const { changeRole, noteOperatorAct } = await services();
  const user = await getUserInLockedTeam(context, email);
  const { merchant } = user;
  await changeRole(context, user, role);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'updateMember', subject: email });
  return { record: { email, role }, note: `${email} has the role ${role} now.` };
}

async function remove(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const { noteOperatorAct, removeUser } = await services();
  const user = await getUserInLockedTeam(context, email);
  const { merchant } = user;
  await removeUser(context, user);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'removeMember', subject: email });
  return { record: { email }, note: `${email} is removed and signed out everywhere.` };
}

/** Locks the merchant before the user, in the order of the dashboard's calls, so that the two never block each other. */
async function getUserInLockedTeam(context: WriteContext, email: string): Promise<DashboardUser> {
  const { findMerchantOfUser, getLockedUser, lockMerchant } = await services();
  const merchant = await findMerchantOfUser(context, email);
  if (merchant) await lockMerchant(context, merchant.id);
  return getLockedUser(context, email);
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
