import { type Operation, read, write } from '../../operation/operation.ts';
import { getCallingSession } from '../sessions/dashboard-session.service.ts';
import { preferencesView } from '../sessions/session.view.ts';

export const getPreferences: Operation<'getPreferences'> = read(async (context) =>
  preferencesView((await getCallingSession(context)).user),
);

export const updatePreferences: Operation<'updatePreferences'> = write(
  async (context, { body }) => {
    const { user } = await getCallingSession(context);
    user.choose(body);
    return preferencesView(user);
  },
  { audited: () => ({ mode: null }) },
);
