/**
 * Only this file and `statement.ts` save changes in the database. Services cannot save early, because the type of their
 * context has no `flush` and no `commit`. Never write through the outer context inside the callback of a transaction:
 * the write would not be rolled back.
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
/** The SQLSTATE of a violated unique constraint, and of a violated check constraint. */
const violations = ['23505', '23514'];

/**
 * The work may run several times, for example after a deadlock, so it must have no effects outside the transaction;
 * `afterCommit` is for such effects.
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
 * Repeats the work until it returns false. An entity manager that is shared by all batches would keep all entities in
 * memory.
 */
export async function inBatches(context: Context, work: Work<Context, boolean>): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await inTransaction(withFreshEntityManager(context), work);
}

interface Claims<Claimed> {
  claim: Work<Context, Claimed[]>;
  batchSize: number;
  /** Called for all rows of a batch at the same time, with a context outside every transaction. */
  work(context: Context, claimed: Claimed): Promise<void>;
}

/** Claims a batch in a transaction, works on it outside every transaction, and stops after a batch that is not full. */
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

export function isConstraintViolation(error: unknown): boolean {
  return violations.includes(failureOf(error)?.code ?? '');
}

interface DatabaseFailure extends Error {
  code: string;
  constraint?: string;
}

/** Our own SQL gets the driver's error directly. The ORM wraps the error and copies its fields. */
function failureOf(error: unknown): DatabaseFailure | undefined {
  return error instanceof Error && typeof (error as Partial<DatabaseFailure>).code === 'string'
    ? (error as DatabaseFailure)
    : undefined;
}

function constraintErrorOf(failure: DatabaseFailure | undefined): AppError | undefined {
  if (!failure || !violations.includes(failure.code)) return undefined;
  return violationOf(failure.constraint ?? '', failure);
}
