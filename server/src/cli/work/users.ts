import type { WriteContext } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { newPassword } from '../../kit/ids.ts';
import type { Role } from '../../kit/permissions.ts';
import { demoEmail } from '../../pages/home/demo-merchant.service.ts';
import { noteOperatorAct } from '../../people/audit/audit.service.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import { listMerchants } from '../../people/merchants/merchants.service.ts';
import {
  addDashboardUser,
  getLockedUser,
  listDashboardUsers,
  resetPassword,
} from '../../people/sessions/dashboard-users.service.ts';
import { removeTwoStep } from '../../people/sessions/two-step.service.ts';
import type { Report } from '../report.ts';
import { chooseMerchant } from './choose-merchant.ts';

export async function create(
  context: WriteContext,
  { email, merchant, role }: { email: string; merchant?: string; role: Role },
): Promise<Report> {
  if (email.toLowerCase() === demoEmail)
    throw invalid('invalid_parameter', 'email', `${email} is kept for the demo merchant, whose checkouts need no key`);
  const owner = await ownerOf(context, role, merchant);
  const signIn = { email, password: newPassword() };
  await addDashboardUser(context, owner, { ...signIn, role });
  noteOperatorAct(context, { merchantId: owner.id, mode: null, action: 'createUser', subject: email });
  return reportSignIn({ ...signIn, role }, `${email} may sign in to the dashboard of ${owner.name} as ${role}.`);
}

/** An operator manages all merchants, and the dashboard shows the pages of the oldest one first. */
async function ownerOf(context: WriteContext, role: Role, id: string | undefined): Promise<Merchant> {
  if (role !== 'operator' || id !== undefined) return chooseMerchant(context, id);
  const oldest = (await listMerchants(context)).find(({ suspendedAt }) => suspendedAt === null);
  return oldest ?? chooseMerchant(context, id);
}

export async function reset(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const signIn = { email, password: newPassword() };
  const { merchant } = await resetPassword(context, signIn);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'resetPassword', subject: email });
  return reportSignIn(signIn, `${email} has a new password and is signed out everywhere.`);
}

export async function list(context: WriteContext, { merchant }: { merchant?: string }): Promise<Report> {
  const record = (await listDashboardUsers(context, merchant)).map((user) => ({
    email: user.email,
    role: user.role,
    merchant: { id: user.merchant.id, name: user.merchant.name },
    twoStep: { isOn: user.hasTwoStep(), isRequired: user.merchant.requiresTwoStep },
    createdAt: user.createdAt,
  }));
  if (record.length === 0) return { record, note: 'There are no users.' };
  const rows = record.map(({ email, role, merchant: { name }, twoStep }) => [email, role, name, shownTwoStep(twoStep)]);
  return { record, answer: { headings: ['EMAIL', 'ROLE', 'MERCHANT', 'TWO-STEP'], rows } };
}

function shownTwoStep({ isOn, isRequired }: { isOn: boolean; isRequired: boolean }): string {
  if (isOn) return 'on';
  return isRequired ? 'off, required' : 'off';
}

export async function requireTwoStep(
  context: WriteContext,
  { merchant, off = false }: { merchant?: string; off?: boolean },
): Promise<Report> {
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

export async function turnTwoStepOff(context: WriteContext, { email }: { email: string }): Promise<Report> {
  const user = await getLockedUser(context, email);
  await removeTwoStep(context, user);
  noteOperatorAct(context, { merchantId: user.merchant.id, mode: null, action: 'removeTwoStep', subject: email });
  return { record: { email, twoStep: { isOn: false } }, note: `${email} signs in with the password alone.` };
}

function reportSignIn(signIn: { email: string; password: string; role?: Role }, message: string): Report {
  return { record: signIn, answer: signIn.password, note: `${message} The password is shown only now.` };
}
