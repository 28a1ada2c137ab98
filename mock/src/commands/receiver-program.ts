import { commandLine } from '@tillhook/developer/terminal/command-line';
import { toleratePipeEnd } from '@tillhook/developer/terminal/environment';
import { durationMs } from '@tillhook/developer/terminal/moment';
import { serviceUrlBy, settingsHere } from '@tillhook/developer/terminal/service-settings';
import { Command, InvalidArgumentError } from 'commander';
import type { Running } from '../listening.ts';
import type { AnswerOptions } from '../receiver/attempts.ts';
import { exitWith, readPort, runCommand } from './command.ts';

interface Options extends Omit<AnswerOptions, 'slowMs'> {
  secret: string[];
  port?: number;
  slow?: number;
  baseUrl?: string;
}

const { PORT, ...others } = process.env;
const { RECEIVER_PORT, WEBHOOK_SECRET = '' } = others;

const receiverCommand = commandLine('receiver');

const program = new Command()
  .configureHelp({ commandUsage: () => `${receiverCommand} [options]` })
  .description(
    'Takes webhooks as a merchant’s program does, prints each of them and what changed since its last attempt.',
  )
  .option(
    '--secret <secret>',
    'the signing secret of an endpoint, to verify its webhooks; may be given several times',
    (one, all: string[]) => [...all, one],
    [],
  )
  .option('--port <port>', 'the port to listen on', (value) => readPort('--port', value, 0))
  .option('--fail <attempts>', 'answer 500 to the first attempts of each event', wholeNumber(0, 1_000))
  .option('--slow <time>', 'answer after this time, such as 5s', duration)
  .option('--base-url <url>', 'the address of the service, for the command that registers the receiver')
  .option('--status <status>', 'answer with this status, such as 410', wholeNumber(200, 599))
  .addHelpText(
    'after',
    `
Example: ${receiverCommand} --fail 3 --slow 5s

Exit codes: 0 it was stopped by Ctrl-C; 1 it could not start; 2 wrong arguments.
Variables: RECEIVER_PORT, or else PORT (4000 when neither is set); --port wins over both. WEBHOOK_SECRET (one more secret).
TILLHOOK_BASE_URL (the address of the service); without it, the address by the settings of the service in .env.`,
  )
  .action((options: Options) => runCommand(() => receive(options)));

toleratePipeEnd();
await exitWith(program);

function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };
}

function duration(value: string): number {
  const length = durationMs(value);
  if (length !== undefined && length <= 600_000) return length;
  throw new InvalidArgumentError('It is a time up to 10 minutes, such as 500ms, 5s or 1m.');
}

async function receive({ secret, port, slow, baseUrl, ...answering }: Options): Promise<Running> {
  const [{ answerBy, createAttemptHistory, ruleInWords }, { describeDelivery, receiverGreeting }, { startReceiver }] =
    await Promise.all([import('../receiver/attempts.ts'), import('../receiver/lines.ts'), import('../receiver.ts')]);
  const secrets = [...secret, WEBHOOK_SECRET].filter((one) => one !== '');
  const answers = { ...answering, ...(slow !== undefined && { slowMs: slow }) };
  const changesOf = createAttemptHistory();
  const replyTo = answerBy(answers);
  const receiver = await startReceiver({
    // RECEIVER_PORT takes precedence over PORT, which other programs read too.
    port: port ?? (RECEIVER_PORT ? readPort('RECEIVER_PORT', RECEIVER_PORT, 4000) : readPort('PORT', PORT, 4000)),
    secrets,
    answer: (delivery) => {
      const reply = replyTo(delivery);
      console.log(describeDelivery(delivery, { changes: changesOf(delivery), reply }));
      return reply;
    },
    onSecret: console.log,
  });
  // When the receiver uses the port in PORT, the service must use a different port.
  const isOwnPort = port === undefined && !RECEIVER_PORT;
  const service = baseUrl ?? serviceUrlBy(settingsHere(isOwnPort ? others : process.env));
  console.log(receiverGreeting(receiver.url, { service, secretCount: secrets.length, rule: ruleInWords(answers) }));
  return receiver;
}
