import { pageOf } from '../../kit/pagination.ts';
import { type CountedLimit, signInKey } from '../../operation/guesses.ts';
import { type Operation, read, SessionChange, write } from '../../operation/operation.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import { callerGuessLimits, isSixDigits, type SecondStep } from './codes.service.ts';
import {
  closeSession,
  endOtherSessions as endOthers,
  endOwnSession,
  getCallingSession,
  listOwnSessions,
  openSession,
} from './dashboard-session.service.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import * as dashboardUsers from './dashboard-users.service.ts';
import { hashPassword } from './password.ts';
import { requireProof } from './require-proof.ts';
import { sessionRecordView, sessionView } from './session.view.ts';

export const signIn: Operation<'signIn'> = write(
  async (context, _input, { user, code }: SigningIn) => {
    const opened = await openSession(context, user, code);
    return new SessionChange(sessionView(opened.session, opened.session.user.merchant), opened.token);
  },
  {
    hasNoCaller: true,
    before: async (context, { body }) => {
      dashboardUsers.requirePasswordSignIn(context);
      return { user: await dashboardUsers.getDashboardUser(context, body), code: body.code };
    },
    limits: [
      { policy: 'sign_in', by: ({ network }) => network, ofGuesses: true },
      { policy: 'password', by: ({ input, network }) => signInKey(input.body.email, network), ofGuesses: true },
    ],
    guessLimitsOf: codeLimitsOf,
  },
);

export const getSession: Operation<'getSession'> = read(async (context) =>
  sessionView(await getCallingSession(context), await getOwnMerchant(context)),
);

export const signOut: Operation<'signOut'> = write(
  async (context) => {
    const [ending, merchant] = [await getCallingSession(context), await getOwnMerchant(context)];
    await closeSession(context, ending);
    return new SessionChange(sessionView(ending, merchant), null);
  },
  { audited: () => ({ mode: null }) },
);

export const changePassword: Operation<'changePassword'> = write(
  async (context, _input, proven: NewPassword) => {
    await dashboardUsers.changePassword(context, proven);
    return sessionView(await getCallingSession(context), await getOwnMerchant(context));
  },
  {
    before: async (context, { body: { newPassword, ...proof } }): Promise<NewPassword> => {
      const code = await requireProof(context, proof);
      return { code, passwordHash: await hashPassword(newPassword) };
    },
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);

export const listSessions: Operation<'listSessions'> = read(async (context, { query }) => {
  const { records, total } = await listOwnSessions(context, pageOf(query));
  return { sessions: records.map((record) => sessionRecordView(context, record)), total };
});

export const endOtherSessions: Operation<'endOtherSessions'> = write(
  async (context) => {
    await endOthers(context);
    return sessionRecordView(context, await getCallingSession(context));
  },
  { audited: () => ({ mode: null }) },
);

export const endSession: Operation<'endSession'> = write(
  async (context, { path }) => sessionRecordView(context, await endOwnSession(context, path.id)),
  {
    audited: ({ id }) => ({ subject: id, mode: null }),
  },
);

interface NewPassword {
  passwordHash: string;
  code: SecondStep;
}

interface SigningIn {
  user: DashboardUser;
  code: string | undefined;
}

// Wrong codes are counted by user, because an attacker who knows the password may have many network addresses. Choice:
// recovery codes are not counted: they are too long to guess, and must work after an attacker has used up the limit.
// See docs/decisions/auth.md, "The six digits of two-step sign-in are counted by user".
function codeLimitsOf({ user, code = '' }: SigningIn): CountedLimit[] {
  return user.hasTwoStep() && isSixDigits(code) ? [{ policy: 'code', key: user.id }] : [];
}
