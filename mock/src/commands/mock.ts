/**
 * `npm run mock`, and `tillhook-mock` where the package is installed: serves until Ctrl-C. `tillhook-mock event …`
 * sends one signed webhook instead, which is `npm run mock:event -- …`.
 */
import { readContract } from '@tillhook/openapi';
import { startMock } from '../api.ts';
import { readPort, runCommand, UserError } from '../command.ts';
import { runEventCommand } from '../events.ts';
import { greeting } from '../greeting.ts';
import { eventCommand, mockCommand } from '../spoken-command.ts';

const usage = `Usage: ${mockCommand}
       ${eventCommand} <event> --to <address> [--secret <whsec_...>] [--data <json>]

The first serves the mock of the API, prints a line for each answer, and runs until Ctrl-C.
The second sends one signed webhook. It sends it again after 1, 2 and 4 seconds, until the receiver answers 2xx, and
exits with 1 if it was not delivered.

  --to <address>     where the webhook goes, such as http://localhost:4000/webhooks
  --secret <secret>  the signing secret of the endpoint; without it, that of the mock's registration example
  --data <json>      fields of the event's data, such as '{"reference":"order-1"}'
  -h, --help         print this

Variables: MOCK_PORT (4010 when not set).`;

const [command, ...args] = process.argv.slice(2);
if (isHelp(command) || (command === 'event' && args.some(isHelp))) console.log(usage);
else if (command === 'event') await runEventCommand(args);
else await serve();

function isHelp(argument: string | undefined): boolean {
  return argument === '--help' || argument === '-h';
}

function serve(): Promise<void> {
  return runCommand(async () => {
    if (command !== undefined)
      throw new UserError(`There is no command ${command}. Omit it to start the mock, or use event to send an event.`);
    const port = readPort('MOCK_PORT', process.env.MOCK_PORT, 4010);
    const mock = await startMock({ port, onAnswer: console.log });
    console.log(greeting(readContract().model, mock.url));
    return mock;
  });
}
