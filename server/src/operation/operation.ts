/**
 * An operation turns an input into an output, both as the contract types them. A handler returns a value and never
 * sends it. There are six kinds. `read` gets a context that cannot write. `write` runs in one transaction, once for
 * each idempotency key. `insert`, in `insert.ts`, saves one row in one
 * statement. `prepared` works before its transaction. `withoutTransaction` runs outside a transaction. `session` begins or ends a session of the
 * dashboard. A `read` with a `version` has an ETag, and does not run for a caller who already has that answer. A `read`
 * with `csv` answers as CSV too.
 * See docs/decisions/requests.md, "Handlers return a value, and a wrapper saves and sends".
 */
import type { OperationId, OperationInput, OperationOutput } from '@tillhook/openapi';
import type { RawBuilder } from 'kysely';
import type { Context, Principal, WithPrincipal, WriteContext } from '../context.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { CountedLimit } from './guesses.ts';
import { type Answer, findEarlierAnswer, type IdempotencyKey, runOnce } from './idempotency.ts';
import { inTurn } from './in-turn.ts';

type Reading = Context & WithPrincipal;
type Writing = WriteContext & WithPrincipal;
type Handler<Id extends OperationId, Given> = (
  context: Given,
  input: OperationInput<Id>,
) => Promise<OperationOutput<Id>>;

/** Checks in a transaction that the API key of a call may still be used. It may have been revoked since it was identified. */
export interface KeyCheck {
  /** A query that returns a row when the key and its merchant may be used. More conditions may follow it. */
  usable(key: { apiKeyId: string; merchantId: string }): RawBuilder<unknown>;
  /** Throws when the key may not be used. */
  require(context: Context, apiKeyId: string): Promise<void>;
}

/** The things that `http/` gives an operation in addition to its input. */
export interface Call<Id extends OperationId> {
  id: Id;
  key: IdempotencyKey | null;
  keyCheck: KeyCheck;
  /** Writes an entry of the audit log if a person is calling. */
  noteAct(context: Writing, act: Audited & { action: Id }): void;
  /**
   * Runs work that may be a wrong guess, and counts it in limits whose keys become known only while the operation runs.
   */
  countedIn<Answer>(limits: readonly CountedLimit[], work: () => Promise<Answer>): Promise<Answer>;
}

/** The parts of a call by which a limit may count it. */
export interface Counted<Id extends OperationId> {
  input: OperationInput<Id>;
  /** Undefined where the operation takes no credential. */
  principal: Principal | undefined;
  /** The network that the call comes from: an address of IPv4 or a /64 of IPv6. */
  network: string;
}

/** An answer that begins or ends a session. */
export interface SessionAnswer<Body> extends Answer<Body> {
  /** The token for the browser's cookie. Null removes the cookie. Undefined leaves it unchanged. */
  sessionToken?: string | null;
}

type Caller = Context & Partial<WithPrincipal>;

export interface Operation<Id extends OperationId> {
  run(context: Caller, input: OperationInput<Id>, call: Call<Id>): Promise<SessionAnswer<OperationOutput<Id>>>;
  /** The answer as CSV, piece by piece, for a caller who prefers that to JSON. */
  csv?(context: Caller, input: OperationInput<Id>): AsyncIterableIterator<string>;
  /** Returns a text that changes when the answer changes, with much less work than the answer itself takes. */
  version?(context: Caller, input: OperationInput<Id>): Promise<string>;
  limits?: readonly Limit<Id>[];
  /** Whether the statement that writes also checks the API key, so that the key need not be looked up before it. */
  checksKey?: boolean;
}

/** A limit for one operation, in addition to the limit of the merchant. */
export interface Limit<Id extends OperationId> {
  policy: RatePolicyName;
  /** Returns the key by which the call is counted, or null when it is not counted. */
  by(counted: Counted<Id>): string | null;
  /** If true, counts only calls that fail with `invalid_credentials` or `invalid_code`. Otherwise counts all calls. */
  ofGuesses?: boolean;
}

/** One handler for each operation of the contract. A missing handler does not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> };

interface ReadOptions<Id extends OperationId> {
  version?: (context: Reading, input: OperationInput<Id>) => Promise<string>;
  csv?: (context: Reading, input: OperationInput<Id>) => AsyncIterableIterator<string>;
}

export function read<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { version, csv }: ReadOptions<Id> = {},
): Operation<Id> {
  return {
    run: async (context, input) => newAnswer(await handler(requirePrincipal(context), input)),
    ...(version && { version: (context, input) => version(requirePrincipal(context), input) }),
    ...(csv && { csv: (context, input) => csv(requirePrincipal(context), input) }),
  };
}

interface Audited {
  subject?: string | null;
  mode?: null;
}

export interface WriteOptions<Id extends OperationId> extends Pick<Operation<Id>, 'limits'> {
  beforeTransaction?: (context: Reading, input: OperationInput<Id>) => Promise<void>;
  /**
   * The transactions of one merchant run one after another: for an operation whose transaction waits for another one of
   * its merchant. Otherwise calls that wait could hold all connections of the process.
   */
  isInTurn?: boolean;
  /** Runs after the commit and before the answer, but not when an earlier answer is sent again. It must not throw. */
  afterTransaction?: (context: Reading) => Promise<void>;
  /**
   * Marks the operation as audited. Returns the subject of the audit entry, or null when nothing changed. An entry is
   * written only if a person is calling.
   * See docs/decisions/auth.md, "Each change by a person writes an audit entry".
   */
  audited?: (output: OperationOutput<Id>, input: OperationInput<Id>) => Audited | null;
}

export function write<Id extends OperationId>(
  handler: Handler<Id, Writing>,
  { beforeTransaction, isInTurn, afterTransaction, audited, limits }: WriteOptions<Id> = {},
): Operation<Id> {
  return {
    run: async (caller, input, { id, key, noteAct }) => {
      const context = requirePrincipal(caller);
      if (beforeTransaction) {
        const answer = key && (await findEarlierAnswer<OperationOutput<Id>>(context, key));
        if (answer) return answer;
        await beforeTransaction(context, input);
      }
      const transact = async () => {
        if (beforeTransaction || isInTurn) await context.checkCallerAgain?.();
        return inTransaction(context, async (tx) => {
          const work = async () => {
            const output = await handler(tx, input);
            const act = audited?.(output, input);
            if (act) noteAct(tx, { action: id, ...act });
            return output;
          };
          return key ? runOnce(tx, key, work) : newAnswer(await work());
        });
      };
      const answer = await (isInTurn ? inTurn(`${id} ${context.principal.merchantId}`, transact) : transact());
      if (!answer.isReplayed) await afterTransaction?.(context);
      return answer;
    },
    ...(limits && { limits }),
  };
}

/**
 * For an operation with work that takes long and needs no database, such as reading a picture. `prepare` does it before
 * the transaction, and `change` saves what it made.
 */
export function prepared<Id extends OperationId, Made>(
  prepare: (context: WithPrincipal, input: OperationInput<Id>) => Promise<Made>,
  change: (context: Writing, made: Made) => Promise<OperationOutput<Id>>,
  { audited }: Required<Pick<WriteOptions<Id>, 'audited'>>,
): Operation<Id> {
  return {
    run: async (caller, input, { id, noteAct }) => {
      const context = requirePrincipal(caller);
      const made = await prepare(context, input);
      await caller.checkCallerAgain?.();
      return inTransaction(context, async (tx) => {
        const output = await change(tx, made);
        const act = audited(output, input);
        if (act) noteAct(tx, { action: id, ...act });
        return newAnswer(output);
      });
    },
  };
}

/**
 * For the only operation that makes a network call, `sendTestEvent`. It runs outside a transaction, and its audit entry
 * is saved in a transaction at the end.
 */
export function withoutTransaction<Id extends OperationId>(
  handler: Handler<Id, Reading>,
  { audited, limits }: Required<Pick<WriteOptions<Id>, 'audited' | 'limits'>>,
): Operation<Id> {
  return {
    run: async (caller, input, { id, noteAct }) => {
      const context = requirePrincipal(caller);
      const output = await handler(context, input);
      const act = audited(output, input);
      if (act && context.principal.actor.type === 'user') {
        await inTransaction(context, async (tx) => noteAct(tx, { action: id, ...act }));
      }
      await context.checkCallerAgain?.();
      return newAnswer(output);
    },
    limits,
  };
}

interface SessionOptions<Id extends OperationId, Found> extends Pick<Operation<Id>, 'limits'> {
  /** Further limits in which a wrong guess is counted, once `find` has found something. */
  countedLimitsOf?: (found: Found) => CountedLimit[];
}

/**
 * For operations that begin, end or confirm a session. The token of the session goes into a cookie and never into a
 * body. `find` runs first, outside the transaction, because checking a password takes long. `change` then runs inside
 * the transaction.
 */
export function session<Id extends OperationId, Found>(
  find: (context: Caller, input: OperationInput<Id>) => Promise<Found>,
  change: (
    context: WriteContext,
    found: Found,
  ) => Promise<Pick<SessionAnswer<OperationOutput<Id>>, 'body' | 'sessionToken'>>,
  { limits, countedLimitsOf = () => [] }: SessionOptions<Id, Found> = {},
): Operation<Id> {
  return {
    run: async (context, input, { countedIn }) => {
      const found = await find(context, input);
      const { body, ...cookie } = await countedIn(countedLimitsOf(found), () =>
        inTransaction(context, (tx) => change(tx, found)),
      );
      return { ...newAnswer(body), ...cookie };
    },
    ...(limits && { limits }),
  };
}

/** Returns the context with its principal. Throws if the contract asks for no credential here. */
export function requirePrincipal<Given extends Context>(
  context: Given & Partial<WithPrincipal>,
): Given & WithPrincipal {
  const { principal } = context;
  if (!principal) throw new Error('An operation was reached without a principal.');
  return { ...context, principal };
}

function newAnswer<Body>(body: Body): Answer<Body> {
  return { body, isReplayed: false };
}
