import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import { ArgumentError, type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { readDurationMs } from '../terminal/moment.ts';
import { printable } from '../terminal/printable.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { type Capture, readCapture } from './capture.ts';
import { type Diagnosis, diagnose, findMatches, headerOf } from './diagnosis.ts';

interface VerifyOptions {
  secret: string[];
  headers: string;
  body: string;
  tolerance: string;
  withoutTimestamp?: boolean;
  json?: boolean;
}

export async function verifyCapture(options: VerifyOptions, environment: DeveloperEnvironment): Promise<number> {
  const screen = createScreen(environment, options.json ?? false);
  const toleranceMs = readDurationMs('--tolerance', options.tolerance);
  const capture = await readCapture(options);
  const { secret: secrets } = options;
  const event = await verified(capture, secrets, {
    toleranceSeconds: toleranceMs / 1000,
    requireTimestamp: !options.withoutTimestamp,
  });
  if (event === null) {
    report(screen, diagnose(capture, secrets, toleranceMs));
    return exitCodes.failed;
  }
  const right = findMatches(capture, secrets).filter(({ mistakes }) => mistakes.length === 0);
  const [first] = right;
  const by = right.map(({ family }) => headerOf[family]);
  if (screen.isJson) {
    screen.print(JSON.stringify({ verified: true, event, by, secret: (first?.secret ?? 0) + 1 }, null, 2));
    return exitCodes.done;
  }
  screen.print(`${screen.colours.green('✓')} It verifies by ${by.join(' and ')}: ${printable(event)}`);
  if (secrets.length > 1) screen.print(`  with secret ${(first?.secret ?? 0) + 1} of ${secrets.length}`);
  const other = (['service', 'standard'] as const).find((family) => !by.includes(headerOf[family]));
  if (other !== undefined) screen.print(`  ${headerOf[other]} is missing or does not agree.`);
  return exitCodes.done;
}

type VerifyAs = NonNullable<Parameters<typeof unwrap>[3]>;

/** Returns the name of the event, or null if the SDK rejects the webhook. */
async function verified({ headers, body }: Capture, secrets: string[], options: VerifyAs): Promise<string | null> {
  try {
    return (await unwrap(body, Object.fromEntries(headers), secrets, options)).event;
  } catch (error) {
    if (error instanceof WebhookVerificationError)
      return error.code === 'invalid_body' ? 'a body that is no event' : null;
    if (error instanceof TypeError)
      throw new ArgumentError(error.message, {
        advice: 'Copy the secret as a whole: whsec_ and what follows.',
        cause: error,
      });
    throw error;
  }
}

function report(screen: Screen, { cause, advice }: Diagnosis): void {
  if (screen.isJson) screen.print(JSON.stringify({ verified: false, cause, advice }, null, 2));
  else screen.print(`${screen.colours.red('✗')} It does not verify. ${printable(cause)}\n  ${printable(advice)}`);
}
