/**
 * What an operation is: input → output, as the contract types them. A handler returns a value and never sends. `read` gets a
 * context that cannot write, `write` runs in one transaction, once for each idempotency key, `alone` opens its own, and
 * `session` begins or ends one. A `read` that knows its `version` has an ETag, and is not run for a caller who already has
 * that answer.
 * See docs/decisions/requests.md, "Handlers return a value, and a wrapper saves and sends".
 */
import type { OperationId, OperationInput, OperationOutput } from '@tillhook/openapi';
import type { Called, Context, Principal, WriteContext } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import type { Place } from './guesses.ts';
import { type Answer, answerBefore, type IdempotencyKey, once } from './idempotency.ts';

type Reading = Context & Called;
type Writing = WriteContext & Called;
type Handler<Id extends OperationId, Given> = (
  context: Given,
  input: OperationInput<Id>,
) => Promise<OperationOutput<Id>>;

/** What of the request an operation needs beside its input, and what is done for it by `http/`. */
export interface Call<Id extends OperationId> {
  id: Id;
  key: IdempotencyKey | null;
  /** Writes an entry of the audit log, where a person is calling. */
  noteAct(context: Writing, act: Audited & { action: Id }): void;
  /** Does work that may be a wrong guess, counted in places that were not known before the handler ran. */
  countedIn<Answer>(places: readonly Place[], work: () => Promise<Answer>): Promise<Answer>;
}

/** What a limit may be counted by. */
export interface Counted<Id extends OperationId> {
  input: OperationInput<Id>;
  /** Undefined where the operation takes no credential. */
  principal: Principal | undefined;
  /** Where the call comes from. */
  network: string;
}

/** An answer that begins or ends a session. */
export interface SessionAnswer<Body> extends Answer<Body> {
  /** For the browser's cookie; null to forget it. */
  sessionToken?: string | null;
}

type Caller = Context & Partial<Called>;

export interface Operation<Id extends OperationId> {
  run(context: Caller, input: OperationInput<Id>, call: Call<Id>): Promise<SessionAnswer<OperationOutput<Id>>>;
  /** What tells this answer from earlier ones, for a fraction of the work of making it. */
  version?(context: Caller, input: OperationInput<Id>): Promise<string>;
  limits?: readonly Limit<Id>[];
}

/** A limit of an operation's own, beside the merchant's. */
export interface Limit<Id extends OperationId> {
  policy: RatePolicyName;
  /** What the call is counted by; null when it is not. */
  by(counted: Counted<Id>): string | null;
  /** Counts only calls that fail with `invalid_credentials` or `invalid_code`; all calls when left out. */
  ofGuesses?: boolean;
}

/** A handler for every operation of the contract: one that is missing does not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> };

export function read<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { version }: { version?: (context: Reading, input: OperationInput<Id>) => Promise<string> } = {},
): Operation<Id> {
  return {
    run: async (context, input) => fresh(await handler(called(context), input)),
    ...(version && { version: (context, input) => version(called(context), input) }),
  };
}

interface Audited {
  subject?: string | null;
  mode?: null;
}

interface WriteOptions<Id extends OperationId> extends Pick<Operation<Id>, 'limits'> {
  beforeTransaction?: (context: Reading, input: OperationInput<Id>) => Promise<void>;
  /**
   * For what a person has to account for: what it was done to, or null when nothing was done. It is noted where a person calls.
   * See docs/decisions/auth.md, "Each change by a person writes an audit entry".
   */
  audited?: (output: OperationOutput<Id>, input: OperationInput<Id>) => Audited | null;
}

export function write<Id extends OperationId>(
  handler: Handler<Id, Writing>,
  { beforeTransaction, audited, limits }: WriteOptions<Id> = {},
): Operation<Id> {
  return {
    run: async (caller, input, { id, key, noteAct }) => {
      const context = called(caller);
      if (beforeTransaction) {
        const answer = key && (await answerBefore<OperationOutput<Id>>(context, key));
        if (answer) return answer;
        await beforeTransaction(context, input);
      }
      return inTransaction(context, async (writing) => {
        const work = async () => {
          const output = await handler(writing, input);
          const act = audited?.(output, input);
          if (act) noteAct(writing, { action: id, ...act });
          return output;
        };
        return key ? once(writing, key, work) : fresh(await work());
      });
    },
    ...(limits && { limits }),
  };
}

/** For the one operation that sends before it saves; see `sendTestEvent`. Its entry of the audit log is saved at the end. */
export function alone<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { audited, limits }: Required<Pick<WriteOptions<Id>, 'audited' | 'limits'>>,
): Operation<Id> {
  return {
    run: async (caller, input, { id, noteAct }) => {
      const context = called(caller);
      const output = await handler(context, input);
      const act = audited(output, input);
      if (act && context.principal.actor.type === 'user') {
        await inTransaction(context, async (writing) => noteAct(writing, { action: id, ...act }));
      }
      return fresh(output);
    },
    limits,
  };
}

interface SessionOptions<Id extends OperationId, Found> extends Pick<Operation<Id>, 'limits'> {
  /** What a wrong guess is counted by as well, once something was found. */
  placesOf?: (found: Found) => Place[];
}

/**
 * For what begins, ends or proves a session: its token goes into a cookie and never into a body. What takes its time, such as a
 * password, is looked at first, outside the transaction.
 */
export function session<Id extends OperationId, Found>(
  find: (context: Caller, input: OperationInput<Id>) => Promise<Found>,
  change: (
    context: WriteContext,
    found: Found,
  ) => Promise<Pick<SessionAnswer<OperationOutput<Id>>, 'body' | 'sessionToken'>>,
  { limits, placesOf = () => [] }: SessionOptions<Id, Found> = {},
): Operation<Id> {
  return {
    run: async (context, input, { countedIn }) => {
      const found = await find(context, input);
      const { body, ...cookie } = await countedIn(placesOf(found), () =>
        inTransaction(context, (writing) => change(writing, found)),
      );
      return { ...fresh(body), ...cookie };
    },
    ...(limits && { limits }),
  };
}

/** With the caller, where an operation takes a credential. */
export function called<Given extends Context>(context: Given & Partial<Called>): Given & Called {
  const { principal } = context;
  if (!principal) throw new Error('An operation was reached without a principal.');
  return { ...context, principal };
}

function fresh<Body>(body: Body): Answer<Body> {
  return { body, isReplayed: false };
}
