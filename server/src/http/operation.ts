/**
 * What an operation is: input → output, as the contract types them. A handler returns a value and never sends; this file
 * opens the transaction, commits, and only then answers with the operation's documented success status. `read` gets a
 * context that cannot write, `write` runs in one transaction, `alone` opens its own.
 */
import type { ContractOperation, OperationId, OperationInput, OperationOutput } from '@tillhook/openapi';
import type { RequestHandler } from 'express';
import type { Called, Context, WriteContext } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';

type Reading = Context & Called;
type Writing = WriteContext & Called;
type Run<Id extends OperationId> = (context: Reading, input: OperationInput<Id>) => Promise<OperationOutput<Id>>;

/** A handler for every operation of the contract: one that is missing does not compile. */
export type Operations = { [Id in OperationId]: { run: Run<Id> } };

export function read<Id extends OperationId>(run: Run<Id>): { run: Run<Id> } {
  return { run };
}

export function write<Id extends OperationId>(
  handler: (context: Writing, input: OperationInput<Id>) => Promise<OperationOutput<Id>>,
  { beforeTransaction }: { beforeTransaction?: (context: Reading, input: OperationInput<Id>) => Promise<void> } = {},
): { run: Run<Id> } {
  return {
    run: async (context, input) => {
      await beforeTransaction?.(context, input);
      return inTransaction(context, (writing) => handler(writing, input));
    },
  };
}

export function alone<Id extends OperationId>(run: Run<Id>): { run: Run<Id> } {
  return { run };
}

/** The Express handler of an operation. The validator has checked everything that it reads from the request. */
export function operationHandler<Id extends OperationId>(
  { run }: { run: Run<Id> },
  { definition }: ContractOperation,
): RequestHandler {
  const status = successStatus(definition.responses);
  return async (request, response) => {
    const { context, principal } = request;
    if (!principal) throw new Error('An operation was reached without a principal.');
    const input = { path: request.params, query: request.query, body: request.body } as unknown as OperationInput<Id>;
    response.status(status).json(await run({ ...context, principal }, input));
  };
}

/** Every operation documents exactly one success. */
function successStatus(responses: Record<string, unknown>): number {
  const [status, ...others] = Object.keys(responses).filter((code) => code.startsWith('2'));
  if (status === undefined || others.length > 0) throw new Error('An operation needs exactly one documented success.');
  return Number(status);
}
