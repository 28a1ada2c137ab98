// See docs/decisions/process.md, "Help loads no server".
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Argument, Command, CommanderError, Help, type Option } from 'commander';
import { AppError, StartError } from '../kit/errors.ts';
import { printableLines } from '../kit/terminal.ts';
import { example } from './arguments.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMailCommands } from './mails.ts';
import { addMerchantCommands } from './merchants.ts';
import { addPaymentCommands } from './payments.ts';
import { type Actions, actionsIn, type CommandEnvironment } from './perform.ts';
import { addRefundCommands } from './refunds.ts';
import { addSecretCommands } from './secrets.ts';
import { terminalOf, toleratePipeEnd } from './terminal.ts';
import { addTransferCommands } from './transfers.ts';
import { addUserCommands } from './users.ts';
import { addWebhookCommands } from './webhooks.ts';

const commandGroups = [
  addDeliveryCommands,
  addKeyCommands,
  addLedgerCommands,
  addMerchantCommands,
  addPaymentCommands,
  addRefundCommands,
  addMailCommands,
  addSecretCommands,
  addTransferCommands,
  addUserCommands,
  addWebhookCommands,
];

const exitCodes = `
Exit codes:
  0  done
  1  failed, or found something wrong
  2  wrong arguments`;

/** The commands of the package `@tillhook/mock`, which `tillhook` runs if that package is installed. */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];

const forDevelopers = `
For developers, with an API key (TILLHOOK_API_KEY) and no database:
  ${new Intl.ListFormat('en-GB').format(developerCommands)},
  such as: tillhook listen --help`;

const shells = ['bash', 'zsh', 'fish'];

/** Returns the exit code: 2 for invalid arguments, and 1 for any other failure. */
export async function runCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  toleratePipeEnd(environment);
  let exitCode = 0;
  const fail = () => {
    exitCode = 1;
  };
  const program = createProgram(environment, actionsIn(environment, fail));
  if (args[0] === 'complete') (await import('./completion.ts')).answerCompletions(program, developerCommands);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    environment.stderr.write(`${printableLines(await failureText(error))}\n`);
    return 1;
  }
  return exitCode;
}

/** Only an error that the operator cannot solve is shown with its stack. */
async function failureText(error: unknown): Promise<string> {
  const { ConfigError } = await import('../config/config.ts');
  const { isDatabaseAway } = await import('../platform/database/connection/outage.ts');
  const isKnown = [AppError, ConfigError, StartError].some((known) => error instanceof known);
  const isExpected = isKnown || (error instanceof Error && isDatabaseAway(error));
  return isExpected ? (error as Error).message : inspect(error);
}

function createProgram({ env, stdout, stderr }: CommandEnvironment, actions: Actions): Command {
  const { width, colours } = terminalOf(stdout, env);
  const program = new Command('tillhook')
    .description('Manages a Tillhook: the one in DATA_DIR, which may be running, or the one in DATABASE_URL.')
    .version(version(), '-V, --version', 'print the version')
    .option('--json', 'answer in JSON')
    .configureHelp({ showGlobalOptions: true, styleTitle: colours.bold, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => width ?? 80,
      getErrHelpWidth: () => terminalOf(stderr, env).width ?? 80,
      getOutHasColors: () => colours.isColorSupported,
      getErrHasColors: () => terminalOf(stderr, env).colours.isColorSupported,
    })
    .showHelpAfterError()
    .addHelpText('after', example('tillhook keys list'))
    .addHelpText('after', forDevelopers)
    .addHelpText('afterAll', exitCodes)
    .exitOverride();
  for (const add of commandGroups) add(program, actions);
  addCompletionCommand(program);
  nameAllMissing(program);
  return program;
}

function describeOption(option: Option): string {
  const about = new Help().optionDescription(option);
  return option.mandatory ? `${about} (required)` : about;
}

/** Reports all missing required options of a command together; Commander reports only the first. */
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

function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options; bash needs bash-completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', example('source <(tillhook completion bash)'))
    .action(async (shell: string) => (await import('./completion.ts')).printScript(shell));
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
