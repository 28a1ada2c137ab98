import { type Operations, write } from '../../operation/operation.ts';
import { callerGuessLimits } from './codes.service.ts';
import { requirePassword } from './dashboard-users.service.ts';
import { twoStepView } from './session.view.ts';
import { beginTwoStep, confirmTwoStep, removeOwnTwoStep, renewRecoveryCodes } from './two-step.service.ts';

export const twoStepOperations = {
  beginTwoStep: write((context, { body }) => beginTwoStep(context, body.code), {
    beforeTransaction: (context, { body }) => requirePassword(context, body.password),
    limits: callerGuessLimits,
  }),

  confirmTwoStep: write(async (context, { body }) => ({ recoveryCodes: await confirmTwoStep(context, body.code) }), {
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  }),

  renewRecoveryCodes: write(
    async (context, { body }) => ({ recoveryCodes: await renewRecoveryCodes(context, body.code) }),
    {
      beforeTransaction: (context, { body }) => requirePassword(context, body.password),
      audited: () => ({ mode: null }),
      limits: callerGuessLimits,
    },
  ),

  removeTwoStep: write(async (context, { body }) => twoStepView(await removeOwnTwoStep(context, body.code)), {
    beforeTransaction: (context, { body }) => requirePassword(context, body.password),
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  }),
} satisfies Partial<Operations>;
