/**
 * `listen` asks for the events after the last event it has seen, so a restart of the service loses or repeats no event.
 * See docs/decisions/mock.md, "listen signs and retries by itself".
 */
import {
  type Account,
  ConnectionError,
  type Event,
  type Hooks,
  type Query,
  type Tillhook,
  TillhookError,
} from '@tillhook/sdk';
import { type Attempt, localWebhookId } from '../sending/event-sender.ts';
import { isReceived } from '../sending/post-webhook.ts';
import { commandLine } from '../terminal/command-line.ts';
import { ArgumentError, type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { isId, readTime } from '../terminal/moment.ts';
import { printable } from '../terminal/printable.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { attemptLine, eventLine, hintFor } from './attempt-lines.ts';
import { type Connection, type ConnectionOptions, causeOf, connect } from './connection.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { readAddress, secretFor, type Target } from './forwarding.ts';

interface ListenOptions extends ConnectionOptions {
  forwardTo?: string;
  events?: string[];
  since?: string;
  secret?: string;
  printJson?: boolean;
  live?: boolean;
  json?: boolean;
}

/** Runs until Ctrl-C, and then returns the exit code 0. */
export async function listen(options: ListenOptions, environment: DeveloperEnvironment): Promise<number> {
  const screen = createScreen(environment, options.json ?? false);
  const { interrupted: signal } = environment;
  const connection = connect(environment, options, { hooks: outageNotes(screen.note) });
  allowLive(connection, options);
  const target = options.forwardTo === undefined ? null : await targetOf(options, connection, environment);
  const again = (id: string) => `${commandLine('resend')} ${id} --forward-to ${target?.url}${givenAgain(options)}`;
  let listening: Listening | undefined;
  try {
    const account = await accountOf(connection, signal);
    const place = await placeOf(connection.client, options, signal);
    greet(screen, { account, connection, target });
    const beginning = place.after ?? (options.since === undefined ? undefined : place.from);
    const showsBodies = options.printJson ?? false;
    listening = listeningTo({ screen, target, signal, ...place, beginning, showsBodies, again });
    for await (const event of connection.client.events.follow({ ...place, ...filterOf(options) }, { signal })) {
      await listening.hear(event);
    }
  } catch (error) {
    if (!signal.aborted) {
      listening?.sumUp();
      throw error;
    }
  }
  if (listening) listening.sumUp();
  else screen.note('Interrupted before it listened.');
  return exitCodes.done;
}

function allowLive({ isLive }: Connection, { live = false }: ListenOptions): void {
  if (!isLive || live) return;
  // Choice: events of real customers leave the service only with the option --live.
  throw new ArgumentError('TILLHOOK_API_KEY is a live key, whose events are those of real customers.', {
    advice: 'Use a test key, or add --live if you mean it.',
  });
}

async function targetOf(
  { forwardTo = '', secret }: ListenOptions,
  connection: Connection,
  environment: DeveloperEnvironment,
): Promise<Target> {
  return { url: readAddress(forwardTo), secret: await secretFor(secret, connection, environment) };
}

function givenAgain({ secret, baseUrl }: ListenOptions): string {
  const given = Object.entries({ '--secret': secret, '--base-url': baseUrl });
  return given.map(([name, value]) => (value === undefined ? '' : ` ${name} ${value}`)).join('');
}

const filterOf = ({ events }: ListenOptions) => (events ? { event: events as Query<'listEvents'>['event'] } : {});

/** Runs before `listen` prints that it is ready, so that no event after that line is missed. */
async function placeOf(
  { events }: Tillhook,
  options: ListenOptions,
  signal: AbortSignal,
): Promise<{ after?: string; from: string }> {
  const { since } = options;
  const filter = filterOf(options);
  if (since !== undefined && !isId(since)) return { from: readTime('--since', since) };
  if (since !== undefined) {
    await events.get(since, { signal });
    return { after: since, from: 'oldest' };
  }
  const { events: newest } = await events.list({ ...filter, order: 'desc', limit: 1 }, { signal });
  return { ...(newest[0] && { after: newest[0].id }), from: 'oldest' };
}

interface Greeting {
  account: Account;
  connection: Connection;
  target: Target | null;
}

function greet({ isJson, print, colours }: Screen, { account, connection, target }: Greeting): void {
  const { merchant, mode } = account;
  const { baseUrl } = connection.client;
  if (isJson) {
    const forwarding = target && { forwardTo: target.url, secret: target.secret, webhookId: localWebhookId };
    print(JSON.stringify({ type: 'ready', baseUrl, merchant: merchant.name, mode, ...forwarding }));
    return;
  }
  const fields = [
    ['events of', `${printable(merchant.name)} (${mode}) at ${baseUrl}`],
    ...(target
      ? [
          ['posted to', target.url],
          ['secret', colours.bold(target.secret)],
          ['webhookId', localWebhookId],
        ]
      : []),
  ];
  for (const [name = '', value] of fields) print(`${colours.dim(name.padEnd(9))}  ${value}`);
  print(colours.dim('Listening. Ctrl-C ends it and sums up.\n'));
}

interface Listening {
  hear(event: Event): Promise<void>;
  sumUp(): void;
}

interface ListeningOptions {
  screen: Screen;
  target: Target | null;
  signal: AbortSignal;
  /** The id of the last event before this run; undefined when `--since` is a time. */
  after?: string | undefined;
  /** The value for `--since` that repeats this run; undefined for a run that started with the oldest event. */
  beginning: string | undefined;
  showsBodies: boolean;
  again(id: string): string;
}

function listeningTo(options: ListeningOptions): Listening {
  const { screen, target, signal, after, beginning, showsBodies, again } = options;
  const show = (event: Event) => {
    if (screen.isJson) screen.print(JSON.stringify({ type: 'event', ...event }));
    else if (target === null) screen.print(eventLine(screen, event, statusIn(event)));
    if (showsBodies && !screen.isJson) screen.print(bodyText(event));
  };
  const report = attemptReporter(screen, again);
  const forwarder = target && createForwarder({ target, after, signal, report });
  let received = 0;
  return {
    async hear(event) {
      received += 1;
      show(event);
      await forwarder?.take(event);
    },
    sumUp: () => sumUp(screen, { received, forwarder, beginning }),
  };
}

function attemptReporter(screen: Screen, again: (id: string) => string) {
  let lastHint: string | null = null;
  return (event: Event, attempt: Attempt, retryInMs: number | null) => {
    if (screen.isJson) {
      const { id: eventId, event: name, reference } = event;
      screen.print(JSON.stringify({ type: 'attempt', eventId, event: name, reference, ...attempt, retryInMs }));
      return;
    }
    screen.print(attemptLine(screen, event, { attempt, retryInMs }));
    const hint = hintFor(attempt);
    if (hint !== null && hint !== lastHint) screen.print(screen.colours.yellow(`  ${hint}`));
    lastHint = hint;
    if (retryInMs === null && !isReceived(attempt.statusCode)) screen.print(`  Again: ${again(event.id)}`);
  };
}

const statusIn = ({ data }: Event) => String((data as { status?: unknown }).status ?? '');

function bodyText({ event, data, timestamp }: Event): string {
  const body = JSON.stringify({ event, data, timestamp, webhookId: localWebhookId }, null, 2);
  return body.split('\n').map(printable).join('\n');
}

interface Summed {
  received: number;
  forwarder: Forwarder | null;
  beginning: string | undefined;
}

function sumUp({ isJson, print }: Screen, { received, forwarder, beginning }: Summed): void {
  const { forwarded = 0, failed = 0 } = forwarder?.counts ?? {};
  const unfinished = forwarder ? received - forwarded - failed : 0;
  const goOnAfter = unfinished > 0 ? (forwarder?.lastEnded() ?? beginning) : undefined;
  if (isJson) {
    print(
      JSON.stringify({ type: 'summary', received, ...(forwarder && { forwarded, failed, unfinished, goOnAfter }) }),
    );
    return;
  }
  const parts = forwarder
    ? [
        `${received} received`,
        `${forwarded} forwarded`,
        `${failed} failed`,
        ...(unfinished ? [`${unfinished} unfinished`] : []),
      ]
    : [`${received} received`];
  print(`\n${parts.join(', ')}.`);
  if (goOnAfter) print(`To go on where it stopped: --since ${goOnAfter}`);
}

function outageNotes(note: (text: string) => void): Hooks {
  let isAway = false;
  return {
    retry({ error }) {
      if (isAway) return;
      isAway = true;
      const cause = error.status === null ? causeOf(error) : `it answered ${error.status}`;
      note(`The service does not answer (${cause}). Waiting for it; no event is lost.`);
    },
    response({ status }) {
      if (!isAway || status === 429 || status >= 500) return;
      isAway = false;
      note('The service answers again.');
    },
  };
}

/** Retries if the service responds but is still starting, and throws immediately if nothing listens at the URL. */
async function accountOf({ client }: Connection, signal: AbortSignal): Promise<Account> {
  try {
    return await client.account.get({ signal, maxRetries: 0 });
  } catch (error) {
    if (!(error instanceof TillhookError) || error instanceof ConnectionError || !isPassing(error)) throw error;
    return client.account.get({ signal });
  }
}

const isPassing = ({ status }: TillhookError) => status === 429 || (status ?? 0) >= 500;
