import { type Operation, read } from '../../operation/operation.ts';
import * as testEvent from './test-event.service.ts';
import { testEventView } from './test-event.view.ts';

// The operation is a `read`, because it calls the receiver, and no network call is made inside a transaction.
export const sendTestEvent: Operation<'sendTestEvent'> = read(
  async (context, { path }) => testEventView(await testEvent.sendTestEvent(context, path.id)),
  {
    audited: (_result, { path }) => ({ subject: path.id }),
    limits: [{ policy: 'test_event', by: ({ input, principal }) => `${principal?.merchantId}:${input.path.id}` }],
  },
);
