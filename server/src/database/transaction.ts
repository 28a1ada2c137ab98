/**
 * One of the two places that save; the other is `statement.ts`, for work that is a single statement. Entry points (an
 * operation, a page, a job, the dispatcher, a command) wrap their work in `inTransaction`; services write through the context
 * that they are handed and cannot save early, because the types leave `flush` and `commit` out. The callback gets a new
 * context whose `em` is the transaction's: work done through the outer one would survive a rollback.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Context, ofItsOwn, type WriteContext } from '../context.ts';
import { AppError, type ErrorCode } from '../kit/errors.ts';
import { randomFraction } from '../kit/ids.ts';
import { isLostToAnother, isStatementLost } from './outage.ts';

type Work<Outer, Result> = (context: Outer & WriteContext) => Promise<Result>;

const maxTries = 5;
const longestPauseMs = 20;
/** Which kinds of constraint there are: unique, check. */
const violations = ['23505', '23514'];

/**
 * Runs the work in one transaction. When it throws, nothing was written. The work runs again, from its beginning, when
 * Postgres ended it in favour of another transaction, or did not find a prepared statement, so it must leave no trace but
 * what it writes.
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
      const isWorthAnother = isLostToAnother(failure) || isStatementLost(failure);
      if (!isWorthAnother || tries === maxTries) throw violated(failure) ?? error;
    }
    // At random, so that those who met do not meet again.
    await sleep(longestPauseMs * tries * randomFraction());
  }
}

/**
 * Runs the work in one transaction after another, until it says that there is no more to do. Each has an entity manager that
 * has seen nothing: one for all would carry the rows of every earlier batch along.
 */
export async function inBatches(context: Context, work: Work<Context, boolean>): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await inTransaction(ofItsOwn(context), work);
}

interface Claims<Claimed> {
  claim: Work<Context, Claimed[]>;
  /** How many are claimed at once. */
  batchSize: number;
  /** Called with a context outside every transaction, for all of a batch side by side. */
  work(context: Context, claimed: Claimed): Promise<void>;
}

/** Claims a batch in a transaction, works on it with none open, and goes on until a batch is not full. */
export async function claimInBatches<Claimed>(
  context: Context,
  { claim, batchSize, work }: Claims<Claimed>,
): Promise<void> {
  for (let isFull = true; isFull; ) {
    const claimed = await inTransaction(ofItsOwn(context), claim);
    await Promise.all(claimed.map((each) => work(ofItsOwn(context), each)));
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

/** A constraint that a request can run into is that request's fault, and has a code. */
const constraintErrors: Record<string, { code: ErrorCode; param: string; message: string }> = {
  payment_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A payment with this reference already exists',
  },
  transfer_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A transfer with this reference already exists',
  },
  ledger_top_up_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A top-up with this reference already exists',
  },
  ledger_account_exact_in_json: {
    code: 'invalid_parameter',
    param: 'amount',
    message: `amount would bring an account past ${Number.MAX_SAFE_INTEGER}, the most that a balance can be`,
  },
};

interface DatabaseFailure extends Error {
  /** SQLSTATE. */
  code: string;
  constraint?: string;
}

/** What Postgres answered: the driver throws it bare to SQL of ours, and the ORM wraps it, keeping its fields. */
function failureOf(error: unknown): DatabaseFailure | undefined {
  return error instanceof Error && typeof (error as Partial<DatabaseFailure>).code === 'string'
    ? (error as DatabaseFailure)
    : undefined;
}

function violated(failure: DatabaseFailure | undefined): AppError | undefined {
  if (!failure || !violations.includes(failure.code)) return undefined;
  const known = constraintErrors[failure.constraint ?? ''];
  return known && new AppError(known.code, known.message, { param: known.param, cause: failure });
}
