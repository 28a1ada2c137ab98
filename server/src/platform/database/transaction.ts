/**
 * Only this file and `statement.ts` save changes in the database; `statement.ts` is for work that is a single
 * statement. Entry points (an operation, a page, a job, a command) run their work in `inTransaction`. Services write
 * through the context that they receive and cannot save early, because its type has no `flush` and no `commit`. The
 * callback gets a new context whose `em` belongs to the transaction. Never write through the outer context in the
 * callback: such a write is not rolled back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import type { AppError } from '../../kit/errors.ts';
import { randomFraction } from '../../kit/ids.ts';
import { isPreparedStatementMissing, isTransactionConflict } from './connection/outage.ts';
import { violationOf } from './constraint-errors.ts';

type Work<Outer, Result> = (context: Outer & WriteContext) => Promise<Result>;

const maxTries = 5;
const maxPauseMs = 20;
/** SQLSTATE: violation of a unique constraint, or of a check constraint. */
const violations = ['23505', '23514'];

/**
 * Runs the work in one transaction. If the work throws, nothing is written. The work runs again from its beginning
 * when Postgres ended the transaction in favour of another transaction, or did not find a prepared statement. So the
 * work must have no effects outside the transaction; `afterCommit` is for such effects.
 */
export async function inTransaction<Outer extends Context, Result>(
  context: Outer,
  work: Work<Outer, Result>,
): Promise<Result> {
  for (let tries = 1, em = context.em as SqlEntityManager; ; tries += 1, em = em.fork()) {
    try {
      return await inOneTransaction({ ...context, em }, work);
    } catch (error) {
      const failure = failureOf(error);
      const mayRetry = isTransactionConflict(failure) || isPreparedStatementMissing(failure);
      if (!mayRetry || tries === maxTries) throw constraintErrorOf(failure) ?? error;
    }
    // The pause is random, so that two transactions that blocked each other do not block each other again.
    await sleep(maxPauseMs * tries * randomFraction());
  }
}

/**
 * Repeats the work, each time in a new transaction, until it returns false because nothing is left to do. Each
 * transaction has a new entity manager, because a shared entity manager would keep the entities of all batches in
 * memory.
 */
export async function inBatches(context: Context, work: Work<Context, boolean>): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await inTransaction(withFreshEntityManager(context), work);
}

interface Claims<Claimed> {
  claim: Work<Context, Claimed[]>;
  /** The maximum number of rows that one transaction claims. */
  batchSize: number;
  /** Called for all rows of a batch at the same time, with a context outside every transaction. */
  work(context: Context, claimed: Claimed): Promise<void>;
}

/**
 * Claims a batch in a transaction, works on it outside every transaction, and repeats this until a batch is not full.
 */
export async function claimInBatches<Claimed>(
  context: Context,
  { claim, batchSize, work }: Claims<Claimed>,
): Promise<void> {
  for (let isFull = true; isFull; ) {
    const claimed = await inTransaction(withFreshEntityManager(context), claim);
    await Promise.all(claimed.map((row) => work(withFreshEntityManager(context), row)));
    isFull = claimed.length === batchSize;
  }
}

async function inOneTransaction<Outer extends Context, Result>(
  context: Outer & { em: SqlEntityManager },
  work: Work<Outer, Result>,
): Promise<Result> {
  const effects = new Set<() => void>();
  const result = await context.em.transactional((em) =>
    work({ ...context, em, afterCommit: (effect) => effects.add(effect) }),
  );
  for (const effect of effects) effect();
  return result;
}

/** Whether Postgres refused a write because it violates a constraint, such as that of a unique reference. */
export function isConstraintViolation(error: unknown): boolean {
  return violations.includes(failureOf(error)?.code ?? '');
}

interface DatabaseFailure extends Error {
  /** The SQLSTATE of the error. */
  code: string;
  constraint?: string;
}

/**
 * Returns the error of Postgres. Our own SQL gets this error from the driver directly. The ORM wraps the error and
 * copies its fields.
 */
function failureOf(error: unknown): DatabaseFailure | undefined {
  return error instanceof Error && typeof (error as Partial<DatabaseFailure>).code === 'string'
    ? (error as DatabaseFailure)
    : undefined;
}

function constraintErrorOf(failure: DatabaseFailure | undefined): AppError | undefined {
  if (!failure || !violations.includes(failure.code)) return undefined;
  return violationOf(failure.constraint ?? '', failure);
}
