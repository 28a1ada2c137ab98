/**
 * `npx tillhook`: the commands of an operator. Wrong arguments print
 * the usage and exit with 2. Every other failure exits with 1.
 */
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { isDatabaseAway } from '../database/outage.ts';
import { AppError } from '../kit/errors.ts';
import { StartError } from '../start-error.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMerchantCommands } from './merchants.ts';
import { addPaymentCommands } from './payments.ts';
import { type CommandEnvironment, performIn } from './perform.ts';
import { addRefundCommands } from './refunds.ts';
import { addTransferCommands } from './transfers.ts';
import { addUserCommands } from './users.ts';

const commandGroups = [
  addKeyCommands,
  addLedgerCommands,
  addMerchantCommands,
  addPaymentCommands,
  addRefundCommands,
  addTransferCommands,
  addUserCommands,
];

/** Runs one command and returns its exit code. */
export async function runCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const { stdout, stderr } = environment;
  let exitCode = 0;
  const perform = performIn(environment, () => {
    exitCode = 1;
  });
  const program = new Command('tillhook')
    .description('Manages a Tillhook: the one in DATA_DIR, which may be running, or the one in DATABASE_URL.')
    .option('--json', 'answer in JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError()
    .exitOverride();
  for (const add of commandGroups) add(program, perform);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed its message already. A request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    stderr.write(`${isExpectedError(error) ? error.message : inspect(error)}\n`);
    return 1;
  }
  return exitCode;
}

/**
 * Whether the error's message is enough for the operator. Any other
 * error is a fault of ours and is printed with its stack.
 */
function isExpectedError(error: unknown): error is Error {
  const isKnown = [AppError, ConfigError, StartError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && isDatabaseAway(error));
}
