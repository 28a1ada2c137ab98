/**
 * The commands, their options and their help. Nothing here opens or loads the service.
 * See docs/decisions/process.md, "Help loads no server".
 */
import { readFileSync } from 'node:fs';
import { Argument, Command, Help, type Option } from 'commander';
import { example } from './arguments.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMerchantCommands } from './merchants.ts';
import { addPaymentCommands } from './payments.ts';
import type { Actions, CommandEnvironment } from './perform.ts';
import { addRefundCommands } from './refunds.ts';
import { addSecretCommands } from './secrets.ts';
import { terminalOf } from './terminal.ts';
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

/** The commands of `@tillhook/mock` to which `tillhook` leads where that package is installed. */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];

const forDevelopers = `
For developers, with an API key (TILLHOOK_API_KEY) and no database:
  ${new Intl.ListFormat('en-GB').format(developerCommands)},
  such as: tillhook listen --help`;

/** The shells whose scripts are tested. */
const shells = ['bash', 'zsh', 'fish'];

export function createProgram({ env, stdout, stderr }: CommandEnvironment, actions: Actions): Command {
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

/** For `configureHelp`: says of an option that it is required. */
function describeOption(option: Option): string {
  const about = new Help().optionDescription(option);
  return option.mandatory ? `${about} (required)` : about;
}

/**
 * Makes a command and those below it name all required options that are missing, where commander names the first.
 *
 * Choice: `developer/src/program.ts` has this too. See there for the reason.
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
