/** `trigger`: makes an event happen in test mode, as a customer, a bank or a merchant would, and waits until it is there. */
import type { Event, Query, Tillhook } from '@tillhook/sdk';
import type { EventName } from '@tillhook/sdk/webhooks';
import { commandLine } from '../command-line.ts';
import { printable } from '../printable.ts';
import { type ConnectionOptions, connect, requireTestKey } from './connection.ts';
import { CommandError, type DeveloperEnvironment, exitCodes } from './environment.ts';
import { createScreen } from './screen.ts';
import { recipes, type TriggerOptions } from './trigger-recipes.ts';

interface TriggerArguments extends ConnectionOptions, Omit<TriggerOptions, 'signal'> {
  which: EventName;
  json?: boolean;
}

/** Longer than a refund that fails late. */
const longestWaitMs = 60_000;

export async function trigger(options: TriggerArguments, environment: DeveloperEnvironment): Promise<number> {
  const { which: event, json = false } = options;
  const { interrupted: signal } = environment;
  const connection = connect(environment, options);
  requireTestKey(connection, 'trigger');
  const screen = createScreen(environment, json);
  const steps: string[] = [];
  const say = (step: string) => {
    steps.push(step);
    if (!json) screen.print(`${screen.colours.dim('·')} ${printable(step)}`);
  };
  const { client } = connection;
  const { events: newest } = await client.events.list({ order: 'desc', limit: 1 }, { signal });
  const reference = await recipes[event](client, { ...options, signal }, say);
  if (event === 'refund.failed')
    screen.progress(`The bank answers in half a minute; \`${commandLine('advance')} 30s\` makes it answer now …`);
  const found = await waitFor(client, { event, reference, after: newest[0]?.id, signal });
  if (json) screen.print(JSON.stringify({ event, reference: found.reference, eventId: found.id, steps }, null, 2));
  else
    screen.print(
      `${screen.colours.green('✓')} ${printable(`${event}${reference ? ` of ${reference}` : ''} is event ${found.id}`)}`,
    );
  return exitCodes.done;
}

interface Wanted {
  event: EventName;
  reference: string | null;
  after: string | undefined;
  signal: AbortSignal;
}

async function waitFor({ events }: Tillhook, { event, reference, after, signal }: Wanted): Promise<Event> {
  const query = { event: [event] as Query<'listEvents'>['event'], ...(reference && { reference }) };
  const time = AbortSignal.timeout(longestWaitMs);
  const feed = events.follow(
    { ...query, ...(after && { after }), from: 'oldest' },
    { signal: AbortSignal.any([time, signal]) },
  );
  for await (const found of feed) return found;
  signal.throwIfAborted();
  throw new CommandError(`${event} did not come within ${longestWaitMs / 1000} seconds.`, {
    advice: 'Everything above was done. A worker of the service may not run: look at its log.',
  });
}
