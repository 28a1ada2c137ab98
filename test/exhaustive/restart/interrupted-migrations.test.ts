/** Tests that a migration interrupted at any statement is completed by the next run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import test, { type ExecutionContext } from 'ava';
import type { TestDatabase } from '../../support/database/database.ts';
import { emptyDatabase, insertMerchant, insertPayment } from '../../support/database/empty-database.ts';
import { schemaOf } from '../../support/database/schema-of.ts';
import { type StatementCutter, startStatementCutter } from '../../support/database/statement-cutter.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { startFlags } from '../../support/server/process.ts';

async function databaseInUse(t: ExecutionContext) {
  const { database, open } = await emptyDatabase(t);
  await (await open()).migrator.up({ to: '001-first' });
  const merchantId = await insertMerchant(database);
  await insertPayment(database, merchantId);
  return { database, open };
}

async function wholeSchema(t: ExecutionContext): Promise<unknown[]> {
  const { database, open } = await databaseInUse(t);
  await migrate(await open());
  return schemaOf(database);
}

async function startCutter(database: TestDatabase): Promise<StatementCutter> {
  return startStatementCutter(new URL(database.url));
}

test.serial('a migration whose connection is lost at any statement is complete after another run', async (t) => {
  const { database } = await databaseInUse(t);
  const cutter = await startCutter(database);
  const cuts: string[] = [];
  let isDone = false;

  // The connection of each run is lost at a later message than in the previous run.
  for (let message = 1; !isDone; message += 2) {
    const orm = await openOrm(reachDatabase(cutter.reach(database.url)), 1);
    cutter.cutAt({ message, loss: message % 4 === 1 ? 'statement' : 'answer', from: [/^begin|^create|^alter/i] });
    isDone = await migrate(orm, { tries: 1 }).then(
      () => true,
      () => false,
    );
    const cut = cutter.disarm();
    if (cut) cuts.push(cut);
    await orm.close(true);
  }

  t.log(`cut at ${cuts.length} places`);
  t.true(cuts.length > 15, cuts.join('\n'));
  t.deepEqual(await schemaOf(database), await wholeSchema(t));
  t.is((await database.query('select from payment')).length, 1);
});

const places: [where: string, from: RegExp][] = [
  ['within one migration', /alter table payment/i],
  ['during the build of an index', /create index concurrently/i],
  ['between two migrations', /insert into "?migration/i],
];

for (const [where, from] of places) {
  test.serial(`after kill −9 of npm run db:migrate ${where}, the next run completes the migration`, async (t) => {
    const { database } = await databaseInUse(t);
    const cutter = await startCutter(database);
    const killed = startMigrating(cutter.reach(database.url));
    cutter.cutAt({ message: 1, loss: 'answer', from: [from], onCut: () => killed.kill('SIGKILL') });
    t.deepEqual(await once(killed, 'close'), [null, 'SIGKILL']);
    t.truthy(cutter.disarm());

    t.deepEqual(await once(startMigrating(database.url), 'close'), [0, null]);

    t.deepEqual(await schemaOf(database), await wholeSchema(t));
  });
}

const commands = fileURLToPath(import.meta.resolve('@tillhook/server/src/start/database-commands.ts'));

function startMigrating(databaseUrl: string) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...testEnvironment(databaseUrl) };
  return spawn(process.execPath, [...startFlags, commands, 'migrate'], { env, stdio: 'ignore' });
}
