import { canonicalEmail } from '../../kit/email.ts';
import { type Operation, write } from '../../operation/operation.ts';
import { requirePasswordSignIn } from '../sessions/dashboard-users.service.ts';
import { hashPassword } from '../sessions/password.ts';
import * as resets from './password-reset.service.ts';

export const requestPasswordReset: Operation<'requestPasswordReset'> = write(
  async (context, { body: { email } }) => {
    const expiresAt = await resets.requestPasswordReset(context, email);
    return { email, expiresAt: expiresAt.toISOString() };
  },
  {
    hasNoCaller: true,
    before: async (context) => requirePasswordSignIn(context),
    limits: [
      { policy: 'reset_network', by: ({ network }) => network },
      { policy: 'reset_email', by: ({ input }) => canonicalEmail(input.body.email).toLowerCase() },
    ],
  },
);

export const resetPassword: Operation<'resetPassword'> = write(
  async (context, { body: { token } }, passwordHash: string) => {
    const { email } = await resets.resetPasswordByLink(context, { token, passwordHash });
    return { email };
  },
  {
    hasNoCaller: true,
    before: async (context, { body: { token, password } }) => {
      requirePasswordSignIn(context);
      await resets.requireLink(context, token);
      return hashPassword(password);
    },
    limits: [{ policy: 'reset_network', by: ({ network }) => network }],
  },
);
