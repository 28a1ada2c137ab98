/**
 * A `read` operation runs outside a transaction, with a context that cannot write. A `write` operation runs in one
 * transaction, and only once for each idempotency key.
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

export interface Call<Id extends OperationId> {
  id: Id;
  key: IdempotencyKey | null;
  keyCheck: KeyCheck;
  /** Writes an audit entry, but only if a person is calling. */
  noteAct(context: Writing, act: Audited & { action: Id }): void;
  /** Counts wrong guesses in limits whose keys the operation has to look up, such as the user who signs in. */
  countedIn<Answer>(limits: readonly CountedLimit[], work: () => Promise<Answer>): Promise<Answer>;
}

export interface Counted<Id extends OperationId> {
  input: OperationInput<Id>;
  /** The principal is undefined when the operation takes no credential. */
  principal: Principal | undefined;
  /** The network of the caller: an IPv4 address or an IPv6 prefix of 64 bits. */
  network: string;
}

export interface SessionAnswer<Body> extends Answer<Body> {
  /** A null token removes the session cookie. An undefined token leaves the cookie unchanged. */
  sessionToken?: string | null;
}

type Caller = Context & Partial<WithPrincipal>;

export interface Operation<Id extends OperationId> {
  run(context: Caller, input: OperationInput<Id>, call: Call<Id>): Promise<SessionAnswer<OperationOutput<Id>>>;
  csv?(context: Caller, input: OperationInput<Id>): AsyncIterableIterator<string>;
  /** Returns a string for the `ETag` that changes with the answer, but takes less work than the answer. */
  version?(context: Caller, input: OperationInput<Id>): Promise<string>;
  limits?: readonly Limit<Id>[];
  /** Whether the writing statement also checks the API key, so that the key need not be looked up before. */
  checksKey?: boolean;
}

export interface Limit<Id extends OperationId> {
  policy: RatePolicyName;
  /** Returns the key under which the call is counted; null if this limit does not count the call. */
  by(counted: Counted<Id>): string | null;
  /** If true, only calls that fail with `invalid_credentials` or `invalid_code` are counted. */
  ofGuesses?: boolean;
}

export type Operations = { [Id in OperationId]: Operation<Id> };

interface ReadOptions<Id extends OperationId> extends Pick<Operation<Id>, 'limits'> {
  version?: (context: Reading, input: OperationInput<Id>) => Promise<string>;
  csv?: (context: Reading, input: OperationInput<Id>) => AsyncIterableIterator<string>;
  /** Used by `sendTestEvent`, whose audit entry is saved in a transaction after the receiver was called. */
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
  /** Runs slow work before the transaction, such as checking a password, unless an earlier answer is sent again. */
  before?: (context: Reading, input: OperationInput<Id>) => Promise<Prepared>;
  /** Runs the transactions of a merchant one by one; otherwise, waiting transactions could hold all connections. */
  isInTurn?: boolean;
  /** Runs before the answer is sent, but not when an earlier answer is sent again. It must not throw. */
  afterTransaction?: (context: Reading) => Promise<void>;
  // Returns null when nothing changed. See docs/decisions/auth.md, "Each change by a person writes an audit entry".
  audited?: (output: OperationOutput<Id>, input: OperationInput<Id>) => Audited | null;
  /** Makes the only row that the operation inserts, without reading or writing. If run twice, the last row is saved. */
  onlyRow?: (context: Reading, input: OperationInput<Id>) => NewRow<OperationOutput<Id>>;
  /** True for `signIn`, which takes no credential: its handler gets no principal, although the type promises one. */
  hasNoCaller?: boolean;
  /** Limits on wrong guesses, with keys that `before` has looked up. */
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

export class SessionChange<Body> {
  readonly body: Body;
  readonly token: string | null;

  constructor(body: Body, token: string | null) {
    this.body = body;
    this.token = token;
  }
}

const lastOfKey = new Map<string, Promise<unknown>>();

/** Work that waits for its turn holds no database connection. */
export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (lastOfKey.get(key) ?? Promise.resolve()).then(work, work);
  lastOfKey.set(key, turn);
  const forget = () => {
    if (lastOfKey.get(key) === turn) lastOfKey.delete(key);
  };
  turn.then(forget, forget);
  return turn;
}

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
