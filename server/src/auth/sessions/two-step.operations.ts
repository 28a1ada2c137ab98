import { type Operations, write } from '../../operation/operation.ts';
import { guessesOfCaller } from './codes.service.ts';
import { requirePassword } from './dashboard-users.service.ts';
import { twoStepView } from './session.view.ts';
import { beginTwoStep, confirmTwoStep, removeOwnTwoStep, renewRecoveryCodes } from './two-step.service.ts';

export const twoStepOperations = {
  beginTwoStep: write((context, { body }) => beginTwoStep(context, body.code), {
    beforeTransaction: (context, { body }) => requirePassword(context, body.password),
    limits: guessesOfCaller,
  }),

  confirmTwoStep: write(async (context, { body }) => ({ recoveryCodes: await confirmTwoStep(context, body.code) }), {
    audited: () => ({ mode: null }),
    limits: guessesOfCaller,
  }),

  renewRecoveryCodes: write(
    async (context, { body }) => ({ recoveryCodes: await renewRecoveryCodes(context, body.code) }),
    {
      beforeTransaction: (context, { body }) => requirePassword(context, body.password),
      audited: () => ({ mode: null }),
      limits: guessesOfCaller,
    },
  ),

  removeTwoStep: write(async (context, { body }) => twoStepView(await removeOwnTwoStep(context, body.code)), {
    beforeTransaction: (context, { body }) => requirePassword(context, body.password),
    audited: () => ({ mode: null }),
    limits: guessesOfCaller,
  }),
} satisfies Partial<Operations>;
