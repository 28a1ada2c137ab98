import { type Operations, read, write } from '../http/operation.ts';
import { pageOf } from '../kit/pagination.ts';
import { endOwnSession, listOwnSessions } from './dashboard-session.service.ts';
import { sessionRecordView } from './session.view.ts';

export const sessionsOperations = {
  listSessions: read(async (context, { query }) => {
    const { records, total } = await listOwnSessions(context, pageOf(query));
    return { sessions: records.map((record) => sessionRecordView(context, record)), total };
  }),

  endSession: write(async (context, { path }) => sessionRecordView(context, await endOwnSession(context, path.id)), {
    audited: ({ id }) => ({ subject: id, mode: null }),
  }),
} satisfies Partial<Operations>;
