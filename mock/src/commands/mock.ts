/**
 * `npm run mock`, and `tillhook-mock` where the package is installed: serves until Ctrl-C. `tillhook-mock event …`
 * sends one signed webhook instead, which is `npm run mock:event -- …`.
 */
import { readContract } from '@tillhook/openapi';
import { startMock } from '../api.ts';
import { readPort, runCommand, UserError } from '../command.ts';
import { runEventCommand } from '../events.ts';
import { greeting } from '../greeting.ts';

const [command, ...args] = process.argv.slice(2);
if (command === 'event') await runEventCommand(args);
else await serve();

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
