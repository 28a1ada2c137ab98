/**
 * `--help` loads only the names and options of the commands, so that it prints immediately.
 * See docs/decisions/mock.md, "The developer's commands are a client like any other".
 */

import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { eventNames, triggers } from './commands/event-names.ts';
import { commandLine } from './terminal/command-line.ts';
import { type DeveloperEnvironment, exitCodes } from './terminal/environment.ts';
import { serviceUrlBy } from './terminal/service-settings.ts';

export async function runDeveloperCommand(args: readonly string[], environment: DeveloperEnvironment): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(environment, (load) => async (...received) => {
    const command = received.at(-1) as Command;
    const given = { ...command.opts(), which: command.processedArgs[0] };
    exitCode = await (await load())(given as never, environment);
  });
  try {
    if (/^complet(e|ion)$/.test(args[0] ?? '')) await addCompletion(program);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander throws after it has printed an error, and also after it has printed the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongArguments;
    return explain(error, environment);
  }
}

function createProgram({ env, stdout, stderr }: DeveloperEnvironment, perform: Perform): Command {
  const program = new Command('mock')
    .description("The developer's commands for a running Tillhook. Without a command, the mock is served.")
    .version(packageFile.version)
    .configureHelp({ commandUsage: usageOf, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .showHelpAfterError('Run it with --help to see what it takes.')
    .exitOverride();
  addCommands(program, perform);
  nameAllMissing(program);
  return program
    .addHelpText('after', '\ncompletion bash|zsh|fish prints the completion of `mock`.')
    .addHelpText('afterAll', settingsText(serviceUrlBy(env)));
}

function usageOf(command: Command): string {
  return command.parent === null
    ? `${commandLine('<command>')} [options]`
    : `${commandLine(command.name())} ${command.usage()}`;
}

function describeOption(option: Option): string {
  const about = new Help().optionDescription(option);
  return option.mandatory ? `${about} (required)` : about;
}

/**
 * Reports all missing required options, because commander reports only the first.
 * Choice: `server/src/cli/main.ts` copies `nameAllMissing` and `describeOption`, because it uses commander 15. The
 * developer commands must run on Node 20, and use commander 14.
 */
function nameAllMissing(command: Command): void {
  const refusing = command as unknown as { missingMandatoryOptionValue(): void };
  refusing.missingMandatoryOptionValue = () => {
    const missing = command.options.filter(
      (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
    );
    const flags = missing.map((option) => `'${option.flags}'`).join(', ');
    command.error(`error: required option${missing.length > 1 ? 's' : ''} ${flags} not specified`);
  };
  for (const below of command.commands) nameAllMissing(below);
}

async function explain(error: unknown, { interrupted, stderr }: DeveloperEnvironment): Promise<number> {
  const [{ explainError }, { printable }] = await Promise.all([
    import('./commands/connection.ts'),
    import('./terminal/printable.ts'),
  ]);
  const { lines, exitCode } = explainError(error, interrupted.aborted);
  const shown = lines.flatMap((line) => line.split('\n')).map(printable);
  stderr.write(`${shown.join('\n')}\n`);
  return exitCode;
}

type Work<Given> = (given: Given, environment: DeveloperEnvironment) => Promise<number>;

type Perform = (load: () => Promise<Work<never>>) => (...received: unknown[]) => Promise<void>;

function addCommands(program: Command, perform: Perform): void {
  for (const add of [addListen, addTrigger, addAdvance, addVerify, addEvents, addDeliveries, addResend, addReplay])
    add(program, perform);
}

const settingsText = (serviceUrl: string) => `
Settings: TILLHOOK_API_KEY, and TILLHOOK_BASE_URL (now ${serviceUrl}).
Exit codes: 0 done; 1 failed, or found something wrong; 2 wrong arguments; 130 ended by Ctrl-C
before it was done. Only listen ends with 0 by Ctrl-C.`;

function add(program: Command, name: string, { about, example }: { about: string; example: string }): Command {
  return program
    .command(name)
    .description(about)
    .option('--json', 'answer in JSON, for scripts')
    .addHelpText('after', `\nExample:\n  ${commandLine(name)} ${example}`);
}

const baseUrlOption = () => new Option('--base-url <url>', 'the address of the service');
const limitOption = () => new Option('--limit <number>', 'how many at most').argParser(parseLimit).default(20);
const sinceOption = (about: string) => new Option('--since <time>', about);
const eventsOption = () => new Option('--events <names>', 'only these events, joined by commas').argParser(parseNames);
const secretOption = (about: string) => new Option('--secret <whsec>', about);

function addListen(program: Command, perform: Perform): void {
  add(program, 'listen', {
    about: 'Follow the events as they happen, and post each to an address of this computer, signed. Ctrl-C ends it.',
    example: '--forward-to localhost:4000/webhooks',
  })
    .option('--forward-to <address>', 'where to post; without it, events are only shown')
    .addOption(eventsOption())
    .addOption(sinceOption('where to begin: how long ago, a time, or the id of the last event that you have'))
    .addOption(secretOption('the secret to sign with; without it, WEBHOOK_SECRET, or one made from your API key'))
    .option('--print-json', 'show the body of each event')
    .option('--live', 'allow a live key, whose events are those of real customers')
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/listen.ts')).listen));
}

function addTrigger(program: Command, perform: Perform): void {
  const list = Object.entries(triggers).map(([event, about]) => `  ${event.padEnd(17)} ${about}`);
  add(program, 'trigger', {
    about: 'Make an event really happen in test mode, and wait until it is there.',
    example: 'checkout.success --amount 500000',
  })
    .addArgument(new Argument('<event>', 'one of the events below').choices(eventNames))
    .option('--amount <amount>', 'in the minor unit of the currency', parseAmount, 500_000)
    .option('--currency <code>', "such as NGN; the merchant's own when omitted")
    .option('--email <email>', "the customer's email address", 'ada@example.com')
    .option('--reference <reference>', 'of the payment, transfer or refund; generated when omitted')
    .option('--endpoint <id>', 'for test.event: the endpoint; may be omitted when there is one')
    .addOption(baseUrlOption())
    .addHelpText('after', `\nEvents:\n${list.join('\n')}`)
    .action(perform(async () => (await import('./commands/trigger.ts')).trigger));
}

function addAdvance(program: Command, perform: Perform): void {
  add(program, 'advance', {
    about: 'Move on in test time: every deadline of your test mode comes nearer, and what is then due happens.',
    example: '2h',
  })
    .argument('<duration>', 'such as 90s, 2h or 3d')
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/advance.ts')).advance));
}

function addVerify(program: Command, perform: Perform): void {
  add(program, 'verify', {
    about: 'Say whether a webhook that you captured verifies, by which header, and if not, why. Needs no service.',
    example: '--secret whsec_… --headers headers.txt --body body.json',
  })
    .requiredOption('--secret <whsec>', 'the signing secret; may be given several times', collect)
    .requiredOption('--headers <file>', 'the headers: lines "Name: value", the file of curl -D, or a JSON object')
    .requiredOption('--body <file>', 'the body, byte for byte as it was received')
    .option('--tolerance <duration>', 'how old the signed time may be', '5m')
    .option('--without-timestamp', 'accept X-Service-Signature alone, as requireTimestamp: false of the SDK does')
    .action(perform(async () => (await import('./commands/verify.ts')).verifyCapture));
}

function addEvents(program: Command, perform: Perform): void {
  add(program, 'events', {
    about: 'List what happened, newest first.',
    example: '--events checkout.success --since 2h',
  })
    .addOption(eventsOption())
    .option('--reference <reference>', 'only of this payment, transfer or refund')
    .addOption(sinceOption('only what happened since: how long ago, or a time'))
    .addOption(limitOption())
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/events.ts')).listEvents));
}

function addDeliveries(program: Command, perform: Perform): void {
  add(program, 'deliveries', {
    about: 'List what was sent to your endpoints, newest first, or show one delivery with every attempt.',
    example: '--status failed',
  })
    .argument('[id]', 'the id of a delivery')
    .addOption(
      new Option('--status <statuses>', 'pending, delivered, failed or skipped, joined by commas').argParser(
        parseNames,
      ),
    )
    .addOption(eventsOption())
    .option('--endpoint <id>', 'only to this endpoint')
    .option('--event-id <id>', 'only of this event')
    .option('--reference <reference>', 'only of this payment, transfer or refund')
    .addOption(sinceOption('only those made since: how long ago, or a time'))
    .addOption(limitOption())
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/deliveries.ts')).showDeliveries));
}

function addResend(program: Command, perform: Perform): void {
  add(program, 'resend', {
    about: 'Send a delivery again to its endpoint, or with --forward-to an event to an address of this computer.',
    example: '019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60',
  })
    .argument('<id>', 'the id of a delivery; with --forward-to, of an event')
    .option('--forward-to <address>', 'post the event there, as `listen` does')
    .addOption(secretOption('the secret to sign with, as for `listen`'))
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/resend.ts')).resend));
}

function addReplay(program: Command, perform: Perform): void {
  add(program, 'replay', {
    about: 'Send an endpoint everything again that it missed.',
    example: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60 --since 2h',
  })
    .argument('<endpoint>', 'the id of the endpoint')
    .addOption(sinceOption('only deliveries made since: how long ago, or a time').makeOptionMandatory())
    .option('--until <time>', 'only deliveries made before: how long ago, or a time')
    .option('--status <statuses>', 'failed or skipped; both when omitted', parseNames)
    .addOption(baseUrlOption())
    .action(perform(async () => (await import('./commands/replay.ts')).replay));
}

const parseNames = (text: string): string[] => text.split(',').map((name) => name.trim());

const collect = (text: string, given: string[] = []): string[] => [...given, text];

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 to 99999.');
  return Number(text);
}

function parseAmount(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError('It is a whole number of 1 or more.');
  return Number(text);
}

async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  const completions = tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
  const printScript = completions.setup.bind(completions);
  completions.setup = (...of) => printSourceable(() => printScript(...of));
}

/**
 * Removes `readonly` from the bash script: a shell that reads the script twice, for example because of `source
 * ~/.bashrc`, would print an error. Replaces `console.log`, because the library prints the script with this function.
 */
function printSourceable(print: () => void): void {
  const { log } = console;
  console.log = (text: string) => log(text.replaceAll(/^readonly (?=ShellComp)/gm, ''));
  try {
    print();
  } finally {
    console.log = log;
  }
}

export const developerCommands: readonly string[] = addedTo(new Command());

/** The first arguments that this program handles. With any other argument, `mock` starts the mock. */
export const developerWords: readonly string[] = [
  ...developerCommands,
  'completion',
  'complete',
  ...['help', '--help', '-h', '--version', '-V'],
];

function addedTo(program: Command): string[] {
  addCommands(program, () => async () => undefined);
  return program.commands.map((command) => command.name());
}
