/** `advance`: moves on in test time, and says what moved. */
import { type ConnectionOptions, connect, requireTestKey } from './connection.ts';
import { ArgumentError, type DeveloperEnvironment, exitCodes } from './environment.ts';
import { readDurationMs } from './moment.ts';
import { createScreen } from './screen.ts';

interface AdvanceOptions extends ConnectionOptions {
  which: string;
  json?: boolean;
}

const longestSeconds = 30 * 86_400;

export async function advance(options: AdvanceOptions, environment: DeveloperEnvironment): Promise<number> {
  const seconds = Math.round(readDurationMs('duration', options.which) / 1000);
  if (seconds < 1 || seconds > longestSeconds)
    throw new ArgumentError('The duration must be from a second to 30 days.', {
      advice: 'Call the command several times to move on further.',
    });
  const connection = connect(environment, options);
  requireTestKey(connection, 'advance');
  const { moved } = await connection.client.test.advanceTime({ seconds }, { signal: environment.interrupted });
  const screen = createScreen(environment, options.json ?? false);
  if (screen.isJson) {
    screen.print(JSON.stringify({ seconds, moved }, null, 2));
    return exitCodes.done;
  }
  screen.print(`Test time moved on by ${options.which}. These came nearer:`);
  for (const [kind, count] of Object.entries(moved)) {
    screen.print(`  ${String(count).padStart(6)}  ${words[kind] ?? kind}`);
  }
  if (Object.values(moved).every((count) => Number(count) === 0))
    screen.print('Nothing in test mode waits for a time.');
  return exitCodes.done;
}

const words: Readonly<Record<string, string>> = {
  checkouts: 'expiries of checkouts',
  deliveries: 'next attempts of deliveries',
  transfers: 'settlements of transfers',
  refunds: 'settlements of refunds',
  rotations: 'ends of secret rotations',
  apiKeys: 'ends of API keys',
};
