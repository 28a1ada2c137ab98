import type { WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { hasPasskey } from '../passkeys/passkeys.service.ts';
import { mailUser } from '../sessions/account-mails.service.ts';
import {
  lockCallingUser,
  removeRecoveryCodes,
  replaceRecoveryCodes,
  requireCode,
  type SecondStep,
  wrongCode,
} from '../sessions/codes.service.ts';
import { endOtherSessions } from '../sessions/dashboard-session.service.ts';
import type { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import { newTwoStepSecret, normaliseCode, timeStepOf, twoStepUri } from '../sessions/two-step.ts';

const pendingMs = 10 * 60_000;

export async function beginTwoStep(context: WriteContext & WithPrincipal, code: SecondStep) {
  const user = await lockCallingUser(context);
  // Choice: a new secret is also allowed while two-step sign-in is on, because users change their phones.
  await requireCode(context, user, code);
  const secret = newTwoStepSecret();
  user.pendingSecret = context.sealer.seal(secret, user.id);
  user.pendingUntil = new Date(context.clock.now().getTime() + pendingMs);
  return { secret, uri: twoStepUri(secret, user.email) };
}

/** Choice: the user's other sessions end, because they began without a code. */
export async function confirmTwoStep(context: WriteContext & WithPrincipal, code: string): Promise<string[]> {
  const user = await lockCallingUser(context);
  const now = context.clock.now();
  if (!user.pendingSecret || !user.pendingUntil || user.pendingUntil <= now) {
    throw new AppError('two_step_not_begun', 'There is no secret to confirm: begin again');
  }
  const step = timeStepOf(normaliseCode(code), context.sealer.open(user.pendingSecret, user.id), now);
  if (step === null) throw wrongCode();
  user.turnTwoStepOn(user.pendingSecret, step);
  await endOtherSessions(context);
  await mailUser(context, user, 'two_step_turned_on');
  return replaceRecoveryCodes(context, user);
}

export async function renewRecoveryCodes(context: WriteContext & WithPrincipal, code: SecondStep): Promise<string[]> {
  const user = await lockCallingUser(context);
  requireTwoStepOn(user);
  await requireCode(context, user, code);
  return replaceRecoveryCodes(context, user);
}

export async function removeOwnTwoStep(
  context: WriteContext & WithPrincipal,
  code: SecondStep,
): Promise<DashboardUser> {
  const user = await lockCallingUser(context);
  requireTwoStepOn(user);
  if (user.merchant.requiresTwoStep && !(await hasPasskey(context, user.id))) {
    throw new AppError('two_step_setup_required', 'The merchant requires two-step sign-in: it cannot be removed');
  }
  await requireCode(context, user, code);
  await removeTwoStep(context, user);
  return user;
}

/** Operators also call this function, for a user who lost both the device and the recovery codes. */
export async function removeTwoStep(context: WriteContext, user: DashboardUser): Promise<void> {
  user.turnTwoStepOff();
  await removeRecoveryCodes(context, user);
  await mailUser(context, user, 'two_step_turned_off');
}

function requireTwoStepOn(user: DashboardUser): void {
  if (!user.hasTwoStep()) throw new AppError('two_step_is_off', 'This user does not sign in by two steps');
}
