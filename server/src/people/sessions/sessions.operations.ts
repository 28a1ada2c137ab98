import { pageOf } from '../../kit/pagination.ts';
import { type CountedLimit, signInKey } from '../../operation/guesses.ts';
import { type Operations, read, requirePrincipal, session, write } from '../../operation/operation.ts';
import { noteOwnAct } from '../audit/audit.service.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import { callerGuessLimits, isSixDigits } from './codes.service.ts';
import {
  closeSession,
  endOwnSession,
  getCallingSession,
  listOwnSessions,
  openSession,
} from './dashboard-session.service.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import { changePassword, getDashboardUser, requirePassword } from './dashboard-users.service.ts';
import { hashPassword } from './password.ts';
import { sessionRecordView, sessionView } from './session.view.ts';

export const sessionsOperations = {
  signIn: session(
    async (context, { body }) => ({ user: await getDashboardUser(context, body), code: body.code }),
    async (context, { user, code }) => {
      const opened = await openSession(context, user, code);
      return { body: sessionView(opened.session, opened.session.user.merchant), sessionToken: opened.token };
    },
    {
      limits: [
        { policy: 'sign_in', by: ({ network }) => network, ofGuesses: true },
        { policy: 'password', by: ({ input, network }) => signInKey(input.body.email, network), ofGuesses: true },
      ],
      countedLimitsOf: codeLimitsOf,
    },
  ),

  getSession: read(async (context) => sessionView(await getCallingSession(context), await getOwnMerchant(context))),

  signOut: session(
    async (context) => {
      const caller = requirePrincipal(context);
      const [ending, merchant] = [await getCallingSession(caller), await getOwnMerchant(caller)];
      return { principal: caller.principal, ending, merchant };
    },
    async (context, { principal, ending, merchant }) => {
      await closeSession(context, ending);
      noteOwnAct({ ...context, principal }, { action: 'signOut', mode: null });
      return { body: sessionView(ending, merchant), sessionToken: null };
    },
  ),

  changePassword: session(
    async (context, { body: { password, newPassword, code } }) => {
      const caller = requirePrincipal(context);
      await requirePassword(caller, password);
      return { principal: caller.principal, passwordHash: await hashPassword(newPassword), code };
    },
    async (context, { principal, passwordHash, code }) => {
      const tx = { ...context, principal };
      await changePassword(tx, { passwordHash, code });
      noteOwnAct(tx, { action: 'changePassword', mode: null });
      return { body: sessionView(await getCallingSession(tx), await getOwnMerchant(tx)) };
    },
    { limits: callerGuessLimits },
  ),

  listSessions: read(async (context, { query }) => {
    const { records, total } = await listOwnSessions(context, pageOf(query));
    return { sessions: records.map((record) => sessionRecordView(context, record)), total };
  }),

  endSession: write(async (context, { path }) => sessionRecordView(context, await endOwnSession(context, path.id)), {
    audited: ({ id }) => ({ subject: id, mode: null }),
  }),
} satisfies Partial<Operations>;

/**
 * The rate limit for the six digits of a sign-in, after its password was right. Digits are counted by user and not by
 * network: an attacker who knows the password and has many networks could guess them otherwise. Choice: recovery codes
 * are not counted here. They are too long to guess, and they let the user in while an attacker uses this limit up.
 * See docs/decisions/auth.md, "The six digits of two-step sign-in are counted by user".
 */
function codeLimitsOf({ user, code = '' }: { user: DashboardUser; code: string | undefined }): CountedLimit[] {
  return user.hasTwoStep() && isSixDigits(code) ? [{ policy: 'code', key: user.id }] : [];
}
