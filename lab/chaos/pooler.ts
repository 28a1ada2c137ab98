import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPgBouncer, findPgBouncer, type PgBouncer } from '@tillhook/test/support/database/pgbouncer.ts';
import type { Pool } from 'pg';
import { type Interruptible, temporaryDirectory } from './interruptible.ts';
import type { Ending } from './outcome.ts';
import { openStage, type Stage } from './stage.ts';
import { type Scale, stoppedPostgres } from './stopped-postgres.ts';

/** More connections to Postgres than the machine has cores, and fewer than the connections to PgBouncer. */
const serverConnections = 12;
/** With `max_prepared_statements` 0, PgBouncer does not track the prepared statements of connections. */
const numbersOfStatements = [0, 200];

/** All processes use PgBouncer in transaction mode. One of the two workers also has the direct URL of Postgres. */
export async function pooler(stage: Stage, scale: Scale): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (const preparedStatements of numbersOfStatements) {
    const running = stage.running.use(new AsyncDisposableStack());
    endings.push(await behindPgBouncer({ ...stage, running }, scale, preparedStatements));
    await running.disposeAsync();
  }
  return endings;
}

async function behindPgBouncer(stage: Stage, scale: Scale, preparedStatements: number): Promise<Ending> {
  const scenario = `behind PgBouncer with max_prepared_statements ${preparedStatements}, it or Postgres killed ${scale.outages} times while customers pay`;
  const program = findPgBouncer();
  if (!program) return { scenario, notRun: 'there is no PgBouncer: install it, or set PGBOUNCER' };
  if (preparedStatements > 0 && !program.keepsStatements)
    return { scenario, notRun: `${program.path} is older than PgBouncer 1.21` };
  const { running, databaseUrl, startMongodb } = stage;
  const pgBouncer = await createPgBouncer(program, { url: databaseUrl, preparedStatements, serverConnections });
  running.defer(() => pgBouncer.remove());
  await limitRole(stage);
  await pgBouncer.start();
  const logFile = join(temporaryDirectory(running), 'servers.log');
  const postgres = interruptedPooler(pgBouncer, stage.postgres);
  const pooled = openStage(running, { databaseUrl, postgres, startMongodb, log: openSync(logFile, 'a') });
  const postgresLog = await watchPostgresLog(pooled.database);
  let workers = 0;
  const startServer: Stage['startServer'] = (role, env) => {
    const isDirect = role === 'worker' && workers++ % 2 === 0;
    return pooled.startServer(role, { ...env, ...(isDirect && { DATABASE_DIRECT_URL: databaseUrl }) });
  };

  const outcome = await stoppedPostgres({ ...pooled, startServer }, scale);

  const refused = countRefused([pgBouncer.log(), await postgresLog.read()].join('\n'));
  const { noticed, failed } = readServerLog(readFileSync(logFile, 'utf8'));
  const processes = 1 + scale.workers;
  const isTracked = preparedStatements > 0;
  return {
    ...outcome,
    scenario,
    notes: [
      `Postgres refused ${refused} statements by their names, and ${noticed} of ${processes} processes then stopped naming them`,
      ...outcome.notes,
    ],
    broken: [
      ...outcome.broken,
      ...(isTracked && refused > 0 ? [`${refused} statements were refused by their names`] : []),
      ...(!isTracked && noticed === 0 ? ['no process noticed that PgBouncer loses prepared statements'] : []),
      ...(failed > 0 ? [`${failed} lines in the log of servers about a prepared statement`] : []),
    ],
  };
}

/**
 * Sets the time limits on the role, because PgBouncer refuses time limits that a connection sets. Without limits, a
 * process that is frozen inside a transaction would keep its locks forever.
 */
async function limitRole({ database, running }: Stage): Promise<void> {
  await database.query(`alter role current_user set statement_timeout = '15s'`);
  await database.query(`alter role current_user set lock_timeout = '7500ms'`);
  await database.query(`alter role current_user set idle_in_transaction_session_timeout = '15s'`);
  running.defer(() => database.query('alter role current_user reset all').then(() => {}));
}

function interruptedPooler(pgBouncer: PgBouncer, behind: Interruptible): Interruptible {
  let comeBack = () => pgBouncer.start();
  return {
    url: pgBouncer.url,
    ways: ['PgBouncer', 'kill'],
    async goAway(way) {
      comeBack = way === 'kill' ? () => behind.comeBack() : () => pgBouncer.start();
      await (way === 'kill' ? behind.goAway(way) : pgBouncer.kill());
    },
    comeBack: () => comeBack(),
  };
}

/** Matches errors of Postgres about prepared statements that are missing, different or outdated. */
const foreign = /prepared statement "|bind message supplies|cached plan must not change/g;

const countRefused = (log: string) => log.match(foreign)?.length ?? 0;

async function watchPostgresLog(database: Pool): Promise<{ read(): Promise<string> }> {
  const { rows } = await database.query(`select size::int from pg_stat_file('log')`);
  const from = rows[0].size;
  return {
    async read() {
      const all = await database.query(`select pg_read_file('log', $1, 1000000000) as text`, [from]);
      return all.rows[0].text;
    },
  };
}

function readServerLog(log: string): { noticed: number; failed: number } {
  const lines: LogLine[] = log.split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));
  const about = lines.filter(({ err }) => countRefused(err?.message ?? '') > 0);
  const noticed = about.filter(({ msg }) => msg.startsWith('Postgres or its pooler lost a prepared statement')).length;
  return { noticed, failed: about.length - noticed };
}

interface LogLine {
  msg: string;
  err?: { message?: string };
}
