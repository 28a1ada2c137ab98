import type { Tillhook } from '@tillhook/sdk';
import { commandLine } from '../terminal/command-line.ts';
import { type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { readTime } from '../terminal/moment.ts';
import { createScreen } from '../terminal/screen.ts';
import { type ConnectionOptions, connect } from './connection.ts';

interface ReplayOptions extends ConnectionOptions {
  which: string;
  since: string;
  until?: string;
  status?: string[];
  json?: boolean;
}

type ReplayRequest = Parameters<Tillhook['webhookEndpoints']['replay']>[1];

export async function replay(options: ReplayOptions, environment: DeveloperEnvironment): Promise<number> {
  const { client } = connect(environment, options);
  const screen = createScreen(environment, options.json ?? false);
  const { status, since, until } = options;
  // With a fixed end of the period, later calls of the loop leave out deliveries that fail while the command runs.
  const request: ReplayRequest = {
    since: readTime('--since', since),
    until: until === undefined ? new Date().toISOString() : readTime('--until', until),
    ...(status && { statuses: status as ReplayRequest['statuses'] }),
  };
  let count = 0;
  for (let hasMore = true; hasMore; ) {
    const { data } = await client.webhookEndpoints.replay(options.which, request, { signal: environment.interrupted });
    count += data.count;
    ({ hasMore } = data);
    if (hasMore) screen.progress(`${count} deliveries are sent again, and there are more …`);
  }
  if (screen.isJson) screen.print(JSON.stringify({ count, ...request }, null, 2));
  else {
    screen.print(`${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again`);
    if (count > 0) screen.note(`See what becomes of them: ${commandLine('deliveries')} --endpoint ${options.which}`);
    else screen.note('The endpoint missed nothing in that time, or it is inactive: enable it first.');
  }
  return exitCodes.done;
}
