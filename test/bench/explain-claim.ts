/** How Postgres finds what to claim among very many rows, as it ran: the statement is the one that `claim` itself makes. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@tillhook/server/src/config.ts';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import type { StatementContext } from '@tillhook/server/src/database/statement.ts';
import { createBacklog } from '@tillhook/server/src/delivery/dispatch/backlog.ts';
import { createClaimPlan } from '@tillhook/server/src/delivery/dispatch/claim-plan.ts';
import { claim } from '@tillhook/server/src/delivery/queue/claim.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import type { Client } from 'pg';
import { deliveryTables } from './owe.ts';
import { reportsDirectory } from './reports-directory.ts';

interface Store {
  database: Client;
  url: string;
}

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** With fewer, reading a table from end to end may be the best plan. */
const fewestForIndexes = 100_000;

/** Writes `reports/claim-plan.txt`. Throws when a table of deliveries was read from end to end. */
export async function saveClaimPlan({ database, url }: Store, waiting: number): Promise<void> {
  const { sql, parameters } = await claimStatement(url);
  await database.query('begin');
  const { rows } = await database.query(`explain (analyze, buffers, costs off) ${sql}`, [...parameters]);
  await database.query('rollback');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(join(reportsDirectory, 'claim-plan.txt'), `${waiting} deliveries wait.\n\n${plan}\n`);
  const wholes = plan.split('\n').filter((line) => line.includes('Seq Scan on') && !line.includes('never executed'));
  const readWhole = deliveryTables.filter((table) =>
    wholes.some((line) => new RegExp(`on ${table}(_\\w+)?\\b`).test(line)),
  );
  if (waiting >= fewestForIndexes && readWhole.length > 0) {
    throw new Error(`A claim reads from end to end: ${readWhole.join(', ')}.\n${plan}`);
  }
}

/** What a worker that was just started asks first, caught on its way to Postgres. */
async function claimStatement(databaseUrl: string): Promise<Statement> {
  const config = loadConfig({ NODE_ENV: 'production' });
  const plan = createClaimPlan(config.delivery.concurrency);
  plan.noteWakeUp();
  const request = plan.begin(createBacklog(config.delivery));
  if (!request) throw new Error('A worker that was just started claims nothing.');
  const orm = await openOrm(reachDatabase(databaseUrl), 1);
  const { catching, caught } = catcher(orm.em.fork().getKysely().getExecutor());
  const em = { getKysely: () => ({ getExecutor: () => catching }) };
  await claim({ config, em } as unknown as StatementContext, request);
  await orm.close(true);
  if (!caught[0]) throw new Error('A claim asked nothing of the database.');
  return caught[0];
}

type Executor = ReturnType<ReturnType<StatementContext['em']['getKysely']>['getExecutor']>;

/** Compiles as the real one does, and keeps what it is told to execute. */
function catcher(executor: Executor) {
  const caught: Statement[] = [];
  const catching = {
    transformQuery: executor.transformQuery.bind(executor),
    compileQuery: executor.compileQuery.bind(executor),
    async executeQuery(statement: Statement) {
      caught.push(statement);
      return { rows: [] };
    },
  };
  return { catching, caught };
}
