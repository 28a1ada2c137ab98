import test, { type ExecutionContext } from 'ava';
import { createPgBouncer, type Target } from './pgbouncer-process.ts';
import { findPgBouncer, type PgBouncerProgram } from './pgbouncer-program.ts';

/** Any version is new enough if PgBouncer need not track prepared statements. */
const isNewEnough = ({ keepsStatements }: PgBouncerProgram, preparedStatements: number) =>
  keepsStatements || preparedStatements === 0;

/**
 * Declares a test that needs PgBouncer. Without PgBouncer the test is skipped, and `npm run test:all` says so in capitals;
 * with CI=true it fails. The tests run one after another, because at the same time in one process they would run into
 * time-outs.
 */
export function onPgBouncer(preparedStatements: number) {
  const program = findPgBouncer();
  const canRun = program !== undefined && isNewEnough(program, preparedStatements);
  return canRun || process.env.CI === 'true' ? test.serial : test.serial.skip;
}

export function requirePgBouncer(preparedStatements: number): PgBouncerProgram {
  const program = findPgBouncer();
  if (!program) throw new Error('PgBouncer is not installed: install it, or set PGBOUNCER to the path of the program.');
  if (!isNewEnough(program, preparedStatements))
    throw new Error(
      `${program.path} is older than PgBouncer 1.21, which this test needs: set PGBOUNCER to another program.`,
    );
  return program;
}

/**
 * Starts PgBouncer in transaction mode in front of the Postgres at this address, and returns the address through
 * PgBouncer.
 */
export async function startPgBouncer(t: ExecutionContext, program: PgBouncerProgram, to: Target): Promise<string> {
  const pooler = await createPgBouncer(program, to);
  t.teardown(() => pooler.remove());
  await pooler.start();
  return pooler.url;
}
