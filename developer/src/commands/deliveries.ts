import type { Delivery, DeliveryDetail, Query } from '@tillhook/sdk';
import { failureOf, isReceived } from '../sending/post-webhook.ts';
import { commandLine } from '../terminal/command-line.ts';
import { type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { localTime, readTime } from '../terminal/moment.ts';
import { printable } from '../terminal/printable.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { type Column, recordOf, tableOf } from '../terminal/table.ts';
import { type ConnectionOptions, connect } from './connection.ts';

interface DeliveriesOptions extends ConnectionOptions {
  which?: string;
  status?: string[];
  events?: string[];
  endpoint?: string;
  eventId?: string;
  reference?: string;
  since?: string;
  limit: number;
  json?: boolean;
}

const statusColour: Column<Delivery>['colour'] = ({ status }, { green, red, yellow, dim }) =>
  ({ delivered: green, failed: red, pending: yellow, skipped: dim })[status as string] ?? String;

const columns: Column<Delivery>[] = [
  { heading: 'status', cell: ({ status }) => status, colour: statusColour },
  { heading: 'event', cell: ({ event }) => event },
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'tries', cell: ({ attemptCount }) => String(attemptCount), isOptional: true },
  { heading: 'time', cell: ({ createdAt }) => localTime(createdAt), isOptional: true },
  { heading: 'reference', cell: ({ reference }) => reference ?? '', isOptional: true },
  { heading: 'address', cell: ({ url }) => url, isOptional: true },
];

export async function showDeliveries(options: DeliveriesOptions, environment: DeveloperEnvironment): Promise<number> {
  const { client } = connect(environment, options);
  const screen = createScreen(environment, options.json ?? false);
  const { interrupted: signal } = environment;
  if (options.which !== undefined) {
    const delivery = await client.deliveries.get(options.which, { signal });
    screen.print(screen.isJson ? JSON.stringify(delivery, null, 2) : detailOf(delivery, screen));
    return exitCodes.done;
  }
  const found = await client.deliveries.list(queryOf(options), { signal }).toArray({ max: options.limit });
  if (screen.isJson) screen.print(JSON.stringify(found, null, 2));
  else if (found.length > 0) screen.print(tableOf(found, columns, screen));
  else screen.note('No delivery matches. A delivery needs an endpoint; `listen` needs none.');
  return exitCodes.done;
}

function queryOf({ status, events, endpoint, eventId, reference, since }: DeliveriesOptions): Query<'listDeliveries'> {
  return {
    ...(status && { status: status as Query<'listDeliveries'>['status'] }),
    ...(events && { event: events as Query<'listDeliveries'>['event'] }),
    ...(endpoint && { webhookId: endpoint }),
    ...(eventId && { eventId }),
    ...(reference && { reference }),
    ...(since && { from: readTime('--since', since) }),
  };
}

const fields: Column<DeliveryDetail>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'event', cell: ({ event }) => event },
  { heading: 'event id', cell: ({ eventId }) => eventId },
  { heading: 'endpoint', cell: ({ webhookId }) => webhookId },
  { heading: 'address', cell: ({ url }) => url },
  { heading: 'reference', cell: ({ reference }) => reference ?? '' },
  { heading: 'status', cell: ({ status, statusReason }) => [status, statusReason].filter(Boolean).join(', ') },
  { heading: 'created', cell: ({ createdAt }) => localTime(createdAt) },
  { heading: 'next', cell: ({ nextAttemptAt }) => (nextAttemptAt ? localTime(nextAttemptAt) : '') },
  { heading: 'sends again', cell: ({ resentFrom }) => resentFrom ?? '' },
];

function detailOf(delivery: DeliveryDetail, screen: Screen): string {
  const { attempts, request, status, id } = delivery;
  const isOver = status === 'failed' || status === 'skipped';
  return [
    recordOf(delivery, fields, screen),
    titled('body', request.body, screen),
    ...attempts.map((attempt) => attemptText(attempt, screen)),
    ...(isOver ? [`Again: ${commandLine('resend')} ${id}`] : []),
  ].join('\n\n');
}

type DetailAttempt = DeliveryDetail['attempts'][number];

function attemptText(attempt: DetailAttempt, screen: Screen): string {
  const { green, red } = screen.colours;
  const { statusCode, durationMs, responseHeaders, responseBody } = attempt;
  const mark = isReceived(statusCode) ? green('✓') : red('✗');
  const failure = failureOf(attempt);
  return [
    `${mark} attempt ${attempt.attempt}: ${statusCode ?? failure.word} in ${durationMs} ms, ${localTime(attempt.startedAt)}`,
    ...(statusCode === null ? [titled('', failure.sentence, screen)] : []),
    titled('request', headersText(attempt.requestHeaders), screen),
    ...(responseHeaders ? [titled('answer', headersText(responseHeaders), screen)] : []),
    ...(responseBody ? [titled('', responseBody, screen)] : []),
  ].join('\n');
}

function headersText(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('\n');
}

function titled(title: string, text: string, { colours }: Screen): string {
  const lines = text.split(/\r?\n/).map((line) => `  ${printable(line)}`);
  return [...(title ? [colours.dim(title)] : []), ...lines].join('\n');
}
