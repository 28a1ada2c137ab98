/**
 * The command that sends a signed webhook: `tillhook-mock event checkout.success --to http://localhost:4000/webhooks`.
 */
import { parseArgs } from 'node:util';
import { readContract } from '@tillhook/openapi';
import { isForUsers, UserError } from './command.ts';
import { readOrder } from './event-order.ts';
import { type Attempt, sendEvent } from './event-sender.ts';
import { Refusal } from './refusal.ts';
import { createSchemas } from './schemas.ts';
import { eventCommand } from './spoken-command.ts';

/** Sends the event and prints a line for each attempt. The exit code is 1 if the event was not delivered. */
export async function runEventCommand(args: string[]): Promise<void> {
  try {
    const { delivered } = await sendEvent(await orderIn(args), {
      onAttempt: (attempt) => console.log(lineOf(attempt)),
    });
    process.exitCode = delivered ? 0 : 1;
  } catch (error) {
    if (!isForUsers(error) && !(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function orderIn(args: string[]) {
  const { document, model } = readContract();
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: 'string' }, secret: { type: 'string' }, data: { type: 'string' } },
  });
  const [event] = positionals;
  if (event === undefined || values.to === undefined || positionals.length > 1) {
    throw new UserError(
      `Name one event and its receiver. The events are ${model.webhooks.map(({ name }) => name).join(', ')}.\n` +
        `  ${eventCommand} checkout.success --to http://localhost:4000/webhooks [--secret whsec_…] [--data '{"amount":1}']`,
    );
  }
  const { to: url, secret, data } = values;
  const order = { event, url, ...(secret && { secret }), ...(data !== undefined && { data: parsed(data) }) };
  return readOrder(model, createSchemas(document), order);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new UserError(`--data must be JSON, not ${data}`, { cause: error });
  }
}

function lineOf({ attempt, statusCode, error, durationMs }: Attempt): string {
  return `attempt ${attempt}: ${statusCode ?? error} in ${durationMs} ms`;
}
