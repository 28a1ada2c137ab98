/** `advance`: moves on in test time, and says what moved. */
import type { Tillhook } from '@tillhook/sdk';
import { type ConnectionOptions, connect, requireTestKey } from './connection.ts';
import { ArgumentError, CommandError, type DeveloperEnvironment, exitCodes } from './environment.ts';
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
  const { moved } = await advanceTime(connection.client, seconds, environment.interrupted);
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

interface TimeTravel {
  advanceTime(
    body: { seconds: number },
    options: { signal: AbortSignal },
  ): PromiseLike<{ moved: Readonly<Record<string, number>> }>;
}

async function advanceTime(client: Tillhook, seconds: number, signal: AbortSignal) {
  const { test } = client as { test?: TimeTravel };
  if (test) return test.advanceTime({ seconds }, { signal });
  throw new CommandError('This version of the SDK cannot move test time.', {
    advice: 'Update @tillhook/mock and @tillhook/sdk.',
  });
}
