/** Saves the query plan of a claim among very many rows. `claim` itself builds the statement. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '@tillhook/server/src/config/config.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import type { StatementContext } from '@tillhook/server/src/platform/database/statement.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import { createClaimPlan } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import { createFairQueue } from '@tillhook/server/src/webhooks/dispatch/fair-queue.ts';
import { type ClaimRequest, claim } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { deliveryTables } from '../../support/queued-deliveries.ts';
import { reportsDirectory } from '../../support/reports-directory.ts';
import type { Store } from '../store.ts';

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** With fewer rows, a sequential scan may be the best plan. */
const minRowsForIndexes = 100_000;

export async function saveClaimPlan({ database, url }: Store, waiting: number): Promise<void> {
  const { sql, parameters } = await claimStatement(url);
  await database.query('begin');
  const { rows } = await database.query(`explain (analyze, buffers, costs off) ${sql}`, [...parameters]);
  await database.query('rollback');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(join(reportsDirectory, 'claim-plan.txt'), `${waiting} deliveries wait.\n\n${plan}\n`);
  const fullScans = plan.split('\n').filter((line) => line.includes('Seq Scan on') && !line.includes('never executed'));
  const tablesReadWhole = deliveryTables.filter((table) =>
    fullScans.some((line) => new RegExp(`on ${table}(_\\w+)?\\b`).test(line)),
  );
  if (waiting >= minRowsForIndexes && tablesReadWhole.length > 0) {
    throw new Error(`The claim scanned whole tables: ${tablesReadWhole.join(', ')}.\n${plan}`);
  }
}

export function firstClaimOf(config: Config): ClaimRequest {
  const plan = createClaimPlan(config.delivery.concurrency);
  plan.noteWakeUp();
  const request = plan.begin(createFairQueue(config.delivery));
  if (!request) throw new Error('The first claim of a new worker requests no deliveries.');
  return request;
}

async function claimStatement(databaseUrl: string): Promise<Statement> {
  const config = loadConfig({ NODE_ENV: 'production' });
  const request = firstClaimOf(config);
  const orm = await openOrm(reachDatabase(databaseUrl), 1);
  const { catching, caught } = createCatcher(orm.em.fork().getKysely().getExecutor());
  const em = { getKysely: () => ({ getExecutor: () => catching }) };
  await claim({ config, em } as unknown as StatementContext, request);
  await orm.close(true);
  if (!caught[0]) throw new Error('The claim sent no statement to the database.');
  return caught[0];
}

type Executor = ReturnType<ReturnType<StatementContext['em']['getKysely']>['getExecutor']>;

/** Compiles statements as the real executor does, but stores the statements instead of executing them. */
function createCatcher(executor: Executor) {
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
