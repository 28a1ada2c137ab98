import { notificationKinds } from '@tillhook/dashboard/src/account/notification-kinds.ts';
import { receivers } from '@tillhook/server/src/kit/notification-kinds.ts';
import test from 'ava';

test('the account page offers each role the kinds of mails that the service sends to it', (t) => {
  t.deepEqual(Object.fromEntries(notificationKinds.map(({ kind, roles }) => [kind, roles])), receivers);
});
