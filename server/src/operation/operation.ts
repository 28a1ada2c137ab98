/**
 * An operation turns an input into an output, whose types come from the contract. A handler returns a value and never
 * sends a response. There are two kinds of operations. `read` runs outside a transaction, with a context that cannot
 * write. With `version`, its answer has an ETag, and the handler does not run for a caller who already has the answer.
 * With `csv`, the operation can also answer as CSV. `write` runs in one transaction, and once for each idempotency
 * key; work that takes long or waits for other work is done in `before`.
 * See docs/decisions/requests.md, "Handlers return a value, and a wrapper saves and sends".
 */
import type { OperationId, OperationInput, OperationOutput } from '@tillhook/openapi';
import type { Context, Principal, WithPrincipal, WriteContext } from '../context.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { CountedLimit } from './guesses.ts';
import { type Answer, findEarlierAnswer, type IdempotencyKey, runOnce } from './idempotency.ts';
import { type KeyCheck, type NewRow, writeInOneStatement } from './one-statement.ts';

type Reading = Context & WithPrincipal;
type Writing = WriteContext & WithPrincipal;

/** The arguments that `api/` gives an operation in addition to its input. */
export interface Call<Id extends OperationId> {
  id: Id;
  key: IdempotencyKey | null;
  keyCheck: KeyCheck;
  /** Writes an entry of the audit log if a person is calling. */
  noteAct(context: Writing, act: Audited & { action: Id }): void;
  /**
   * Runs work that checks a guess, and counts the guess in limits whose keys become known only while the operation
   * runs.
   */
  countedIn<Answer>(limits: readonly CountedLimit[], work: () => Promise<Answer>): Promise<Answer>;
}

/** The parts of a call that a limit may use as its key. */
export interface Counted<Id extends OperationId> {
  input: OperationInput<Id>;
  /** Undefined when the operation takes no credential. */
  principal: Principal | undefined;
  /** The network of the caller: an IPv4 address or an IPv6 prefix of 64 bits. */
  network: string;
}

/** An answer that begins or ends a session. */
export interface SessionAnswer<Body> extends Answer<Body> {
  /** The token for the browser's cookie. Null removes the cookie. Undefined leaves the cookie unchanged. */
  sessionToken?: string | null;
}

type Caller = Context & Partial<WithPrincipal>;

export interface Operation<Id extends OperationId> {
  run(context: Caller, input: OperationInput<Id>, call: Call<Id>): Promise<SessionAnswer<OperationOutput<Id>>>;
  /** Returns the answer as CSV, piece by piece, for a caller who prefers CSV to JSON. */
  csv?(context: Caller, input: OperationInput<Id>): AsyncIterableIterator<string>;
  /** Returns a string that changes when the answer changes. Making the answer itself would be much more work. */
  version?(context: Caller, input: OperationInput<Id>): Promise<string>;
  limits?: readonly Limit<Id>[];
  /** Whether the writing statement also checks the API key, so that the key need not be looked up before. */
  checksKey?: boolean;
}

/** A rate limit for one operation, in addition to the rate limit of the merchant. */
export interface Limit<Id extends OperationId> {
  policy: RatePolicyName;
  /** Returns the key under which the call is counted, or null when the call is not counted. */
  by(counted: Counted<Id>): string | null;
  /**
   * If true, only calls that fail with `invalid_credentials` or `invalid_code` are counted. Otherwise all calls are
   * counted.
   */
  ofGuesses?: boolean;
}

/** One handler for each operation of the contract. A missing handler does not compile. */
export type Operations = { [Id in OperationId]: Operation<Id> };

interface ReadOptions<Id extends OperationId> extends Pick<Operation<Id>, 'limits'> {
  version?: (context: Reading, input: OperationInput<Id>) => Promise<string>;
  csv?: (context: Reading, input: OperationInput<Id>) => AsyncIterableIterator<string>;
  /**
   * Used by `sendTestEvent`, which calls a receiver and therefore runs outside a transaction. Its audit entry is saved
   * in a transaction at the end.
   */
  audited?: (output: OperationOutput<Id>, input: OperationInput<Id>) => Audited;
}

export function read<Id extends OperationId>(
  handler: (context: Reading, input: OperationInput<Id>) => Promise<OperationOutput<Id>>,
  { version, csv, audited, limits }: ReadOptions<Id> = {},
): Operation<Id> {
  return {
    run: async (caller, input, { id, noteAct }) => {
      const context = requirePrincipal(caller);
      const output = await handler(context, input);
      if (audited) {
        if (context.principal.actor.type === 'user') {
          await inTransaction(context, async (tx) => noteAct(tx, { action: id, ...audited(output, input) }));
        }
        await context.checkCallerAgain?.();
      }
      return newAnswer(output);
    },
    ...(version && { version: (context, input) => version(requirePrincipal(context), input) }),
    ...(csv && { csv: (context, input) => csv(requirePrincipal(context), input) }),
    ...(limits && { limits }),
  };
}

interface Audited {
  subject?: string | null;
  mode?: null;
}

interface WriteOptions<Id extends OperationId, Prepared> extends Pick<Operation<Id>, 'limits'> {
  /**
   * Runs before the transaction, and passes its result to the handler. Used for work that takes long, such as checking
   * a password or reading a picture, and for work that waits for other work. Does not run when an earlier answer is
   * sent again.
   */
  before?: (context: Reading, input: OperationInput<Id>) => Promise<Prepared>;
  /**
   * If true, the transactions of one merchant run one after another in this process. Used when a transaction waits for
   * another transaction of the same merchant, because waiting calls could otherwise hold all connections of the
   * process.
   */
  isInTurn?: boolean;
  /**
   * Runs after the commit and before the answer, but not when an earlier answer is sent again. This function must not
   * throw.
   */
  afterTransaction?: (context: Reading) => Promise<void>;
  /**
   * Marks the operation as audited. Returns the subject of the audit entry, or null when nothing changed. An entry is
   * written only if a person is calling.
   * See docs/decisions/auth.md, "Each change by a person writes an audit entry".
   */
  audited?: (output: OperationOutput<Id>, input: OperationInput<Id>) => Audited | null;
  /**
   * Makes the only row that the operation inserts, and its answer, without reading or writing anything. With this
   * function, a call with an API key needs one statement and no transaction. The function may run twice, and then only
   * the last row is saved.
   */
  onlyRow?: (context: Reading, input: OperationInput<Id>) => NewRow<OperationOutput<Id>>;
  /** True for `signIn`, which takes no credential. Its context has no principal, although the type has a principal. */
  hasNoCaller?: boolean;
  /** Returns further limits that count a wrong guess. They are known only after `before` has run. */
  guessLimitsOf?: (prepared: Prepared) => CountedLimit[];
}

export function write<Id extends OperationId, Prepared = void>(
  handler: (
    context: Writing,
    input: OperationInput<Id>,
    prepared: Prepared,
  ) => Promise<OperationOutput<Id> | SessionChange<OperationOutput<Id>>>,
  options: WriteOptions<Id, Prepared> = {},
): Operation<Id> {
  const { before, isInTurn, afterTransaction, audited, limits, onlyRow, hasNoCaller, guessLimitsOf } = options;

  async function run(caller: Caller, input: OperationInput<Id>, call: Call<Id>) {
    const context = hasNoCaller ? (caller as Reading) : requirePrincipal(caller);
    const { id, key, noteAct } = call;
    const atOnce = onlyRow && (await writeInOneStatement(context, () => onlyRow(context, input), call));
    if (atOnce) return newAnswer(atOnce);
    const earlier = before && key && (await findEarlierAnswer<OperationOutput<Id>>(context, key));
    if (earlier) return earlier;
    const prepared = (await before?.(context, input)) as Prepared;
    let sessionToken: string | null | undefined;

    const work = async (tx: Writing) => {
      const made = await handler(tx, input, prepared);
      const output = made instanceof SessionChange ? made.body : made;
      if (made instanceof SessionChange) sessionToken = made.token;
      const act = audited?.(output, input);
      if (act) noteAct(tx, { action: id, ...act });
      return output;
    };
    const transact = async () => {
      if (before || isInTurn) await context.checkCallerAgain?.();
      return inTransaction(context, async (tx) => (key ? runOnce(tx, key, () => work(tx)) : newAnswer(await work(tx))));
    };
    const inTime = () => (isInTurn ? inTurn(`${id} ${context.principal.merchantId}`, transact) : transact());
    const answer = await (guessLimitsOf ? call.countedIn(guessLimitsOf(prepared), inTime) : inTime());
    if (!answer.isReplayed) await afterTransaction?.(context);
    return sessionToken === undefined ? answer : { ...answer, sessionToken };
  }

  return { run, ...(limits && { limits }), ...(onlyRow && { checksKey: true }) };
}

/**
 * An output of a handler that also sets the session cookie of the browser to this token, or removes the cookie if the
 * token is null.
 */
export class SessionChange<Body> {
  readonly body: Body;
  readonly token: string | null;

  constructor(body: Body, token: string | null) {
    this.body = body;
    this.token = token;
  }
}

const lastOfKey = new Map<string, Promise<unknown>>();

/** Runs all work with the same key one after another in this process. Waiting work holds no database connection. */
export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (lastOfKey.get(key) ?? Promise.resolve()).then(work, work);
  lastOfKey.set(key, turn);
  const forget = () => {
    if (lastOfKey.get(key) === turn) lastOfKey.delete(key);
  };
  turn.then(forget, forget);
  return turn;
}

/**
 * Returns the context with its principal. Throws if the operation takes no credential, so that there is no principal.
 */
export function requirePrincipal<Given extends Context>(
  context: Given & Partial<WithPrincipal>,
): Given & WithPrincipal {
  const { principal } = context;
  if (!principal) throw new Error('The call has no principal, but its operation needs one.');
  return { ...context, principal };
}

function newAnswer<Body>(body: Body): Answer<Body> {
  return { body, isReplayed: false };
}
