import { type Operation, write } from '../../operation/operation.ts';
import { callerGuessLimits } from './codes.service.ts';
import { requirePassword } from './dashboard-users.service.ts';
import { twoStepView } from './session.view.ts';
import * as twoStep from './two-step.service.ts';

export const beginTwoStep: Operation<'beginTwoStep'> = write(
  (context, { body }) => twoStep.beginTwoStep(context, body.code),
  {
    before: (context, { body }) => requirePassword(context, body.password),
    limits: callerGuessLimits,
  },
);

export const confirmTwoStep: Operation<'confirmTwoStep'> = write(
  async (context, { body }) => ({ recoveryCodes: await twoStep.confirmTwoStep(context, body.code) }),
  {
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);

export const renewRecoveryCodes: Operation<'renewRecoveryCodes'> = write(
  async (context, { body }) => ({ recoveryCodes: await twoStep.renewRecoveryCodes(context, body.code) }),
  {
    before: (context, { body }) => requirePassword(context, body.password),
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);

export const removeTwoStep: Operation<'removeTwoStep'> = write(
  async (context, { body }) => twoStepView(await twoStep.removeOwnTwoStep(context, body.code)),
  {
    before: (context, { body }) => requirePassword(context, body.password),
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);
