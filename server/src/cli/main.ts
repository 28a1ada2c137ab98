/** `npx tillhook`: what an operator does by hand. Bad arguments end with 2 and the usage, everything else that fails with 1. */
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
import { performIn, type Surroundings } from './perform.ts';
import { addTransferCommands } from './transfers.ts';
import { addUserCommands } from './users.ts';

const rooms = [
  addKeyCommands,
  addLedgerCommands,
  addMerchantCommands,
  addPaymentCommands,
  addTransferCommands,
  addUserCommands,
];

/** Runs one command and returns its exit code. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  let exitCode = 0;
  const perform = performIn(surroundings, () => {
    exitCode = 1;
  });
  const program = new Command('tillhook')
    .description('Looks after a Tillhook: the one of DATA_DIR, also while it runs, or the one of DATABASE_URL.')
    .option('--json', 'answer in JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError()
    .exitOverride();
  for (const add of rooms) add(program, perform);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has said it already, and asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    stderr.write(`${isForTheOperator(error) ? error.message : inspect(error)}\n`);
    return 1;
  }
  return exitCode;
}

/** These messages say all there is to say; anything else is a fault of ours and keeps its stack. */
function isForTheOperator(error: unknown): error is Error {
  const isKnown = [AppError, ConfigError, StartError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && isDatabaseAway(error));
}
