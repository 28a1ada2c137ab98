/** `npx tillhook`: what an operator does by hand. Bad arguments end with 2 and the usage, everything else that fails with 1. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { isDatabaseAway } from '../database/outage.ts';
import { AppError } from '../kit/errors.ts';
import { StartError } from '../start-error.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMerchantCommands } from './merchants.ts';
import { addPaymentCommands } from './payments.ts';
import { addTransferCommands } from './transfers.ts';
import { addUserCommands } from './users.ts';

const program = new Command('tillhook')
  .description('Looks after a Tillhook: the one of DATA_DIR, also while it runs, or the one of DATABASE_URL.')
  .option('--json', 'answer in JSON')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError()
  .exitOverride();
const rooms = [
  addKeyCommands,
  addLedgerCommands,
  addMerchantCommands,
  addPaymentCommands,
  addTransferCommands,
  addUserCommands,
];
for (const add of rooms) add(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has said it already, and asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(isForTheOperator(error) ? error.message : error);
  return 1;
}

/** These messages say all there is to say; anything else is a fault of ours and keeps its stack. */
function isForTheOperator(error: unknown): error is Error {
  const isKnown = [AppError, ConfigError, StartError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && isDatabaseAway(error));
}
