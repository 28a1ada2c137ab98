/**
 * The only place that saves. Entry points (an operation, a page, a job, the dispatcher, a command) wrap their work in
 * `inTransaction`; services write through the context that they are handed and cannot save early, because the types
 * leave `flush` and `commit` out. The callback gets a new context whose `em` is the transaction's: work done through
 * the outer one would survive a rollback.
 */
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Context, WriteContext } from '../context.ts';
import { AppError, type ErrorCode } from '../kit/errors.ts';

/** Runs the work in one transaction. When it throws, nothing was written. */
export async function inTransaction<Outer extends Context, Result>(
  context: Outer,
  work: (context: Outer & WriteContext) => Promise<Result>,
): Promise<Result> {
  const effects = new Set<() => void>();
  const em = context.em as SqlEntityManager;
  try {
    const result = await em.transactional((transactionEm) =>
      work({ ...context, em: transactionEm, afterCommit: (effect) => effects.add(effect) }),
    );
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    throw violated(error) ?? error;
  }
}

/** A unique constraint that a request can run into is that request's fault, and has a code of its own. */
const constraintErrors: Record<string, { code: ErrorCode; param: string; message: string }> = {
  payment_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A payment with this reference already exists',
  },
};

function violated(error: unknown): AppError | undefined {
  if (!(error instanceof UniqueConstraintViolationException)) return undefined;
  const { constraint } = error as { constraint?: string };
  const known = constraintErrors[constraint ?? ''];
  return known && new AppError(known.code, known.message, { param: known.param, cause: error });
}
