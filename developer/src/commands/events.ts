import type { Event, Query } from '@tillhook/sdk';
import { type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { localTime, readTime } from '../terminal/moment.ts';
import { createScreen } from '../terminal/screen.ts';
import { type Column, tableOf } from '../terminal/table.ts';
import { type ConnectionOptions, connect } from './connection.ts';

interface EventsOptions extends ConnectionOptions {
  events?: string[];
  reference?: string;
  since?: string;
  limit: number;
  json?: boolean;
}

const columns: Column<Event>[] = [
  { heading: 'event', cell: ({ event }) => event },
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'time', cell: ({ createdAt }) => localTime(createdAt) },
  { heading: 'reference', cell: ({ reference }) => reference ?? '', isOptional: true },
  { heading: 'deliveries', cell: ({ deliveries }) => deliveriesText(deliveries), isOptional: true },
];

export async function listEvents(options: EventsOptions, environment: DeveloperEnvironment): Promise<number> {
  const { events, reference, since, limit, json = false } = options;
  const { client } = connect(environment, options);
  const query = {
    ...(events && { event: events as Query<'listEvents'>['event'] }),
    ...(reference && { reference }),
    ...(since && { from: readTime('--since', since) }),
  };
  const found = await client.events.list(query, { signal: environment.interrupted }).toArray({ max: limit });
  const screen = createScreen(environment, json);
  if (json) screen.print(JSON.stringify(found, null, 2));
  else if (found.length > 0) screen.print(tableOf(found, columns, screen));
  else screen.note('No event matches. `trigger checkout.success` makes one in test mode.');
  return exitCodes.done;
}

function deliveriesText(deliveries: Event['deliveries']): string {
  return Object.entries(deliveries)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}
