import { ArgumentError, type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { readDurationMs } from '../terminal/moment.ts';
import { createScreen } from '../terminal/screen.ts';
import { type ConnectionOptions, connect, requireTestKey } from './connection.ts';

interface AdvanceOptions extends ConnectionOptions {
  which: string;
  json?: boolean;
}

const maxSeconds = 30 * 86_400;

export async function advance(options: AdvanceOptions, environment: DeveloperEnvironment): Promise<number> {
  const seconds = Math.round(readDurationMs('duration', options.which) / 1000);
  if (seconds < 1 || seconds > maxSeconds)
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
  screen.print(`Test time moved on by ${options.which}. ${sentenceOf(moved)}`);
  return exitCodes.done;
}

function sentenceOf(moved: Readonly<Record<string, number>>): string {
  const parts = Object.entries(moved)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${words[kind]?.[count === 1 ? 0 : 1] ?? kind}`);
  return parts.length > 0 ? `Came nearer: ${list.format(parts)}.` : 'Nothing in test mode waits for a time.';
}

const list = new Intl.ListFormat('en');

const words: Readonly<Record<string, readonly [one: string, several: string]>> = {
  checkouts: ['expiry of a checkout', 'expiries of checkouts'],
  deliveries: ['attempt of a delivery', 'attempts of deliveries'],
  transfers: ['settlement of a transfer', 'settlements of transfers'],
  refunds: ['settlement of a refund', 'settlements of refunds'],
  rotations: ['end of a secret rotation', 'ends of secret rotations'],
  apiKeys: ['end of an API key', 'ends of API keys'],
  paymentLinks: ['end of a payment link', 'ends of payment links'],
};
