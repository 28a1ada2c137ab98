import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read } from '../../operation/operation.ts';
import { eventView } from './event.view.ts';
import * as events from './events.service.ts';

export const listEvents: Operation<'listEvents'> = read(async (context, { query }) => {
  const { records, total } = await events.listEvents(context, query, { ...pageOf(query), wait: query.wait });
  return { events: records.map(eventView), total };
});

export const getEvent: Operation<'getEvent'> = read(async (context, { path }) =>
  eventView(await events.getEvent(context, path.id)),
);
