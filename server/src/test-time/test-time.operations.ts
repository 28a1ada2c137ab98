import { type Operations, write } from '../operation/operation.ts';
import { advanceTime, endDueWork, waitForDueWork } from './advance-time.service.ts';

export const testTimeOperations = {
  testAdvanceTime: write(
    async (context, { body: { seconds } }) => ({ seconds, moved: await advanceTime(context, seconds) }),
    { isInTurn: true, beforeTransaction: waitForDueWork, afterTransaction: endDueWork, audited: () => ({}) },
  ),
} satisfies Partial<Operations>;
