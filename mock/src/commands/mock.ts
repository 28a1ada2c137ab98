/**
 * `npm run mock`, and `tillhook-mock` where the package is installed: serves until Ctrl-C. `tillhook-mock event …`
 * sends one signed webhook instead, which is `npm run mock:event -- …`.
 */
import { readContract } from '@tillhook/openapi';
import { Command, Option } from 'commander';
import { startMock } from '../api.ts';
import { exitWith, readPort, runCommand, toleratePipeEnd } from '../command.ts';
import { commandLine } from '../command-line.ts';
import { type EventCommand, sendEventByCommand } from '../events.ts';
import { faultNames } from '../faults.ts';
import { greeting } from '../greeting.ts';

const readMockPort = () => readPort('MOCK_PORT', process.env.MOCK_PORT, 4010);

const [mockCommand, eventCommand] = [commandLine('mock'), commandLine('event')];

const program = new Command()
  .configureHelp({ commandUsage: () => `${mockCommand}\n       ${eventCommand} <event> --to <address>` })
  .description('Serves the mock of the API, prints a line for each answer, and runs until Ctrl-C.')
  .helpCommand(false)
  .addHelpText('after', '\nVariables: MOCK_PORT (4010 when not set).')
  .action(() =>
    runCommand(async () => {
      const mock = await startMock({ port: readMockPort(), onAnswer: console.log });
      console.log(greeting(readContract().model, mock.url));
      return mock;
    }),
  );

program
  .command('event')
  .argument('<event>', 'the name of the event, such as checkout.success')
  .configureHelp({ commandUsage: () => `${eventCommand} <event> --to <address> [options]` })
  .description(
    'Sends one signed webhook. It sends it again after 1, 2 and 4 seconds, until the receiver answers 2xx, and says why a receiver refused.',
  )
  .requiredOption('--to <address>', 'where the webhook goes, such as http://localhost:4000/webhooks')
  .option(
    '--secret <secret>',
    'the signing secret; without it, that of the endpoint that the running mock has at the address, else that of its registration example',
  )
  .option('--data <json>', `fields of the event's data, such as '{"reference":"order-1"}'`)
  .addOption(
    new Option('--fault <fault>', 'what is wrong with it on purpose, to see what the receiver does').choices(
      faultNames,
    ),
  )
  .addHelpText(
    'after',
    `
Example: ${eventCommand} checkout.success --to http://localhost:4000/webhooks --fault bad-signature

Exit codes: 0 the webhook was received, or the receiver did with the fault what it must do; 1 it was not, or it did not;
2 wrong arguments.
Variables: MOCK_PORT (4010 when not set), where the running mock is looked for.`,
  )
  .action(async (event: string, options: Omit<EventCommand, 'event'>) => {
    const isRight = await sendEventByCommand({ event, ...options }, `http://127.0.0.1:${readMockPort()}`);
    process.exitCode = isRight ? 0 : 1;
  });

toleratePipeEnd();
await exitWith(program);
