import { type Operation, write } from '../operation/operation.ts';
import { advanceTime, endDueWork, waitForDueWork } from './advance-time.service.ts';

export const testAdvanceTime: Operation<'testAdvanceTime'> = write(
  async (context, { body: { seconds } }) => ({ seconds, moved: await advanceTime(context, seconds) }),
  { isInTurn: true, before: waitForDueWork, afterTransaction: endDueWork, audited: () => ({}) },
);
