/**
 * What an operation is: input → output, as the contract types them. A handler returns a value and never sends. `read` gets a
 * context that cannot write, `write` runs in one transaction, once for each idempotency key, `alone` opens its own. A `read`
 * that knows its `version` has an ETag, and is not run for a caller who already has that answer.
 */
import type { OperationId, OperationInput, OperationOutput } from '@tillhook/openapi';
import type { Called, Context, WriteContext } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import { type Answer, answerBefore, type IdempotencyKey, once } from './idempotency.ts';

type Reading = Context & Called;
type Writing = WriteContext & Called;
type Handler<Id extends OperationId, Given> = (
  context: Given,
  input: OperationInput<Id>,
) => Promise<OperationOutput<Id>>;

export interface Operation<Id extends OperationId> {
  run(context: Reading, input: OperationInput<Id>, key: IdempotencyKey | null): Promise<Answer<OperationOutput<Id>>>;
  /** What tells this answer from earlier ones, for a fraction of the work of making it. */
  version?(context: Reading, input: OperationInput<Id>): Promise<string>;
  /** A limit of its own, beside the merchant's. */
  limit?: { policy: RatePolicyName; by(input: OperationInput<Id>): string };
}

/** A handler for every operation of the contract: one that is missing does not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> };

export function read<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { version }: Pick<Operation<Id>, 'version'> = {},
): Operation<Id> {
  return { run: async (context, input) => fresh(await handler(context, input)), ...(version && { version }) };
}

export function write<Id extends OperationId>(
  handler: Handler<Id, Writing>,
  { beforeTransaction }: { beforeTransaction?: (context: Reading, input: OperationInput<Id>) => Promise<void> } = {},
): Operation<Id> {
  return {
    run: async (context, input, key) => {
      if (beforeTransaction) {
        const answer = key && (await answerBefore<OperationOutput<Id>>(context, key));
        if (answer) return answer;
        await beforeTransaction(context, input);
      }
      return inTransaction(context, async (writing) => {
        if (key) return once(writing, key, () => handler(writing, input));
        return fresh(await handler(writing, input));
      });
    },
  };
}

/** For the one operation that sends before it saves; see `sendTestEvent`. */
export function alone<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { limit }: Required<Pick<Operation<Id>, 'limit'>>,
): Operation<Id> {
  return { ...read(handler), limit };
}

function fresh<Body>(body: Body): Answer<Body> {
  return { body, isReplayed: false };
}
