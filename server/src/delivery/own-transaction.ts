import type { Context, WriteContext } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';

/** Runs the work in a transaction of its own, beside any other that the same context is in the middle of. */
export function inOwnTransaction<Result>(
  context: Context,
  work: (context: WriteContext) => Promise<Result>,
): Promise<Result> {
  return inTransaction({ ...context, em: context.em.fork() }, work);
}
