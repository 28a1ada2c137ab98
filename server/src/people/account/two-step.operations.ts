import { type Operation, write } from '../../operation/operation.ts';
import { callerGuessLimits, type SecondStep } from '../sessions/codes.service.ts';
import { requireProof } from '../sessions/require-proof.ts';
import { twoStepView } from '../sessions/session.view.ts';
import * as twoStep from './two-step.service.ts';

export const beginTwoStep: Operation<'beginTwoStep'> = write(
  (context, _input, code: SecondStep) => twoStep.beginTwoStep(context, code),
  {
    before: (context, { body }) => requireProof(context, body),
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
  async (context, _input, code: SecondStep) => ({ recoveryCodes: await twoStep.renewRecoveryCodes(context, code) }),
  {
    before: (context, { body }) => requireProof(context, body),
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);

export const removeTwoStep: Operation<'removeTwoStep'> = write(
  async (context, _input, code: SecondStep) => twoStepView(await twoStep.removeOwnTwoStep(context, code)),
  {
    before: (context, { body }) => requireProof(context, body),
    audited: () => ({ mode: null }),
    limits: callerGuessLimits,
  },
);
