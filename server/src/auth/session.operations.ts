import { signInKey } from '../http/guesses.ts';
import { called, type Operations, read, session } from '../http/operation.ts';
import { closeSession, getCallingSession, openSession } from './dashboard-session.service.ts';
import { getDashboardUser } from './dashboard-users.service.ts';
import { getOwnMerchant } from './merchants.service.ts';
import { sessionView } from './session.view.ts';

export const sessionOperations = {
  signIn: session(
    (context, { body }) => getDashboardUser(context, body),
    async (context, user) => {
      const opened = await openSession(context, user);
      return { body: sessionView(opened.session, opened.session.user.merchant), sessionToken: opened.token };
    },
    {
      limits: [
        { policy: 'sign_in', by: ({ network }) => network, ofGuesses: true },
        { policy: 'password', by: ({ input, network }) => signInKey(input.body.email, network), ofGuesses: true },
      ],
    },
  ),

  getSession: read(async (context) => sessionView(await getCallingSession(context), await getOwnMerchant(context))),

  signOut: session(
    async (context) => {
      const caller = called(context);
      return { ending: await getCallingSession(caller), merchant: await getOwnMerchant(caller) };
    },
    async (context, { ending, merchant }) => {
      await closeSession(context, ending);
      return { body: sessionView(ending, merchant), sessionToken: null };
    },
  ),
} satisfies Partial<Operations>;
