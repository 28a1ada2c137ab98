import { sendEvent } from '../sending/event-sender.ts';
import { commandLine } from '../terminal/command-line.ts';
import { type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { printable } from '../terminal/printable.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { attemptLine, hintFor } from './attempt-lines.ts';
import { type Connection, type ConnectionOptions, connect } from './connection.ts';
import { orderOf, readAddress, secretFor } from './forwarding.ts';

interface ResendOptions extends ConnectionOptions {
  which: string;
  forwardTo?: string;
  secret?: string;
  json?: boolean;
}

export async function resend(options: ResendOptions, environment: DeveloperEnvironment): Promise<number> {
  const connection = connect(environment, options);
  const screen = createScreen(environment, options.json ?? false);
  if (options.forwardTo !== undefined) return postAgain(options, { connection, environment, screen });
  const { message, data } = await connection.client.deliveries.resend(options.which, {
    signal: environment.interrupted,
  });
  if (screen.isJson) screen.print(JSON.stringify(data, null, 2));
  else {
    screen.print(printable(`${message}: ${data.event} to ${data.url}, as delivery ${data.id}`));
    screen.note(`See what becomes of it: ${commandLine('deliveries')} ${data.id}`);
  }
  return data.status === 'skipped' ? exitCodes.failed : exitCodes.done;
}

interface Posting {
  connection: Connection;
  environment: DeveloperEnvironment;
  screen: Screen;
}

async function postAgain(
  { which, forwardTo = '', secret: given }: ResendOptions,
  { connection, environment, screen }: Posting,
): Promise<number> {
  const target = { url: readAddress(forwardTo), secret: await secretFor(given, connection, environment) };
  const { interrupted: signal } = environment;
  const event = await connection.client.events.get(which, { signal });
  const sent = await sendEvent(orderOf(event, target), {
    signal,
    onAttempt(attempt, retryInMs) {
      if (screen.isJson) return;
      screen.print(attemptLine(screen, event, { attempt, retryInMs }));
      const hint = retryInMs === null ? hintFor(attempt) : null;
      if (hint) screen.print(`  ${hint}`);
    },
  });
  signal.throwIfAborted();
  if (screen.isJson) screen.print(JSON.stringify({ ...sent, ...target }, null, 2));
  return sent.delivered ? exitCodes.done : exitCodes.failed;
}
