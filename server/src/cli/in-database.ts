import { loadConfig } from '../config/config.ts';
import type { Context } from '../context.ts';
import { longStatementMs } from '../platform/database/connection/connections.ts';
import { shareEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { openCommandContext } from '../start/command-context.ts';
import type { Needs, Report } from './report.ts';

interface Opening extends Needs {
  env: NodeJS.ProcessEnv;
  isOneTransaction: boolean;
}

export async function inDatabase(
  { env, isOneTransaction, seals = false, takesLong = false }: Opening,
  work: (context: Context) => Promise<Report>,
): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const loaded = loadConfig(env, { seals });
  const { connectMs, statementMs } = loaded.databaseLimits;
  const databaseLimits = { connectMs, statementMs: takesLong ? longStatementMs : statementMs };
  const config = { ...loaded, databaseLimits, seedDemo: false, logLevel: 'warn' as const };
  const open = () => shareEmbeddedPostgres(config.dataDir, databaseLimits);
  const { context } = await openCommandContext({ config, started, open });
  return await (isOneTransaction ? inTransaction(context, work) : work(context));
}
