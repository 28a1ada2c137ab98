/** Actions import their modules lazily, so that `--help` prints immediately. */

import { faultNames } from '@tillhook/developer/sending/faults';
import { commandLine } from '@tillhook/developer/terminal/command-line';
import { toleratePipeEnd } from '@tillhook/developer/terminal/environment';
import { Command, Option } from 'commander';
import { exitWith, readPort, runCommand } from './command.ts';
import type { EventCommand } from './send-event.ts';

const readMockPort = () => readPort('MOCK_PORT', process.env.MOCK_PORT, 4010);

const [mockCommand, eventCommand] = [commandLine('mock'), commandLine('event')];

const program = new Command()
  .configureHelp({ commandUsage: () => `${mockCommand}\n       ${eventCommand} <event> --to <address>` })
  .description('Serves the mock of the API, prints a line for each answer, and runs until Ctrl-C.')
  .helpCommand(false)
  .addHelpText('after', '\nVariables: MOCK_PORT (4010 when not set).')
  .action(() =>
    runCommand(async () => {
      const [{ readContract }, { startMock }, { greeting }] = await Promise.all([
        import('@tillhook/openapi'),
        import('../api.ts'),
        import('./greeting.ts'),
      ]);
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
  .requiredOption('--to <address>', 'where the webhook goes, such as http://localhost:4000/webhooks (required)')
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
    const { sendEventByCommand } = await import('./send-event.ts');
    const isRight = await sendEventByCommand({ event, ...options }, `http://127.0.0.1:${readMockPort()}`);
    process.exitCode = isRight ? 0 : 1;
  });

toleratePipeEnd();
await exitWith(program);
