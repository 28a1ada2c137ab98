import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config/config.ts';
import type { Clock } from './kit/clock.ts';
import type { Logger } from './kit/logger.ts';
import type { Mode } from './kit/mode.ts';
import type { Role, Scope } from './kit/permissions.ts';
import type { Sealer } from './kit/seal.ts';
import type { SecretRotation } from './kit/secret-rotation.ts';
import type { Processors } from './processors/port.ts';
import type { Metrics } from './telemetry/metrics/metrics.ts';
import type { Span, Tracer } from './telemetry/tracing/tracer.ts';
import type { Keyring } from './wire/keyring.ts';
import type { Sender } from './wire/sender.ts';

/** The caller, authenticated by an API key or by a session. */
export interface Principal {
  merchantId: string;
  mode: Mode;
  /** The merchant's currency, for amounts in a request that names no currency. */
  currency: string;
  /** The scopes of an API key. Null means that every operation is allowed. */
  scopes: readonly Scope[] | null;
  actor: Actor;
}

/** The client that makes the call: a program with an API key, or a user with a session of the dashboard. */
export type Actor =
  | { type: 'key'; apiKeyId: string; lastUsedAt?: Date | null }
  | { type: 'user'; userId: string; email: string; role: Role; lacksTwoStep: boolean; sessionHash: Uint8Array };

/** The client address and the browser of a request. */
export interface Origin {
  address: string | null;
  /** The value of the header `User-Agent`. */
  browser: string | null;
}

/** The methods of the entity manager that are allowed outside a transaction: they only read. */
export type Reader = Pick<
  SqlEntityManager,
  'find' | 'findOne' | 'findAndCount' | 'count' | 'countBy' | 'fork' | 'map' | 'getMetadata' | 'isInTransaction'
>;

/**
 * The methods of the entity manager that are allowed inside a transaction. `platform/database/transaction.ts` opens and
 * commits the transaction.
 * See docs/decisions/requests.md, "The context inside a transaction has another type".
 */
export type Writer = Reader & Pick<SqlEntityManager, 'persist' | 'getKysely'>;

/**
 * The part of the payout processors that services may use. Only a job calls the processors, outside every transaction.
 */
export interface Payouts {
  serves(mode: Mode): boolean;
  /** Wakes the job that settles due transfers. A wake-up without due transfers is harmless. */
  readonly ring: () => void;
}

/** The merchant and mode of an event. */
export interface EventOwner {
  merchantId: string;
  mode: Mode;
}

export interface WaitForEvent {
  /** The position before which the caller has read all events. */
  since: bigint;
  leftMs: number;
  /** Ends the wait early. */
  signal: AbortSignal | undefined;
  /**
   * Whether the caller has read new events, but no event that its filter selects. Such a caller reads again only at an
   * interval.
   */
  isPatient: boolean;
}

/** Lets calls wait for an event of their merchant. A waiting call holds no database connection. */
export interface EventWaits {
  /**
   * Runs `read` when there is a new event and it is the turn of this call, and resolves to the result. Resolves to
   * null when the wait is over. Rejects when the query for new events fails.
   */
  next<Answer>(owner: EventOwner, wait: WaitForEvent, read: () => Promise<Answer>): Promise<Answer | null>;
  /** Checks for new events of this owner, because a transaction that published an event has committed. */
  ring(owner: EventOwner): void;
  /** Returns the number of waiting calls. */
  count(): number;
  /** Ends all waiting calls. Later calls do not wait. */
  stop(): void;
}

/** The part of the context that the dispatcher also needs. It is complete from the start, and never changes. */
export interface CoreContext {
  readonly em: Reader;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** The origin of the request for which this context was made. */
  readonly origin?: Origin;
  /** Aborted when the client disconnects before the end of the response. Only contexts of requests have it. */
  readonly signal?: AbortSignal;
  /**
   * Throws when the caller is no longer authorized. A waiting call runs this check before its response, and a call
   * with a streamed response runs it before each part. Only requests with a credential have this check.
   * See docs/decisions/auth.md, "A call that waits identifies its caller again".
   */
  readonly checkCallerAgain?: () => Promise<void>;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /**
   * The span of the call for which this context was made. Undefined when the call is not traced, and outside calls.
   */
  readonly span?: Span;
  readonly sealer: Sealer;
  /** The beginning of every URL that merchants and customers get, such as the URL of a hosted checkout. */
  readonly publicUrl: string;
  /** The processor of payments for each mode. It is called outside every transaction. */
  readonly processors: Processors;
  /** Posts webhooks, over the connections of this process. */
  readonly sender: Sender;
  /** Decrypts the secrets that sign webhooks. */
  readonly keyring: Keyring;
  readonly eventWaits: EventWaits;
}

/** Wakes the dispatcher when a delivery is due. A wake-up without due deliveries is harmless. */
export interface Bell {
  readonly ring: () => void;
  /**
   * Wakes the dispatcher for deliveries that can be claimed by their ids, because they are first in line for their
   * endpoints.
   */
  readonly ringFor: (deliveries: readonly DueDelivery[]) => void;
}

/** Sends deliveries right after the commit of the statement that published and leased them, without a claim. */
export interface DirectSending {
  /** Offers a lease to a publishing statement; undefined when its deliveries must be left to a claim. */
  offer(): LeaseOffer | undefined;
  /** Sends the deliveries that the statement leased. `statementAtMs` is the time just before the statement. */
  send(deliveries: readonly Claimed[], statementAtMs: number): void;
}

/**
 * A delivery that this process holds until its lease ends, with all data that is needed to send it.
 *
 * Choice: the type is in this file and not in `webhooks/queue/`, because the publishing statement passes it to the
 * dispatcher through the context.
 */
export interface Claimed {
  id: string;
  lease: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  /** The trace context of the event. Null when the event is not traced. */
  eventTraceparent: string | null;
  endpointId: string;
  target: Target;
  /** The number of recorded attempts. */
  attemptCount: number;
  /**
   * The number of claims since the last recorded attempt, including this claim. Above `maxClaims`, it counts how often
   * the delivery was sent alone, as a poison delivery.
   */
  claims: number;
}

/** A due delivery that is first in line for its endpoint, so that it can be claimed by id. */
export type DueDelivery = Pick<Claimed, 'id' | 'endpointId'>;

/** The endpoint of a delivery. All deliveries of one claim to the same endpoint share this object. */
export interface Target {
  merchantId: string;
  mode: Mode;
  url: string;
  sealedSecret: string;
  secretRotation?: SecretRotation | null;
}

export interface LeaseOffer {
  leaseMs: number;
  /** The ids of the endpoints that have waiting deliveries in this process, or have reached their cap. */
  busyEndpoints: string[];
}

/** The context that every service takes as its first parameter. */
export interface Context extends CoreContext {
  readonly bell: Bell;
  readonly direct: DirectSending;
  readonly payouts: Payouts;
  /** Wakes the job that settles due refunds. A wake-up without due refunds is harmless. */
  readonly refunds: { readonly ring: () => void };
}

/** The context inside a transaction: everything written through `em` is saved together or not at all. */
export interface WriteContext extends Context {
  readonly em: Writer;
  /** Runs the function once after the commit, even if it is passed several times. Never runs it after a rollback. */
  readonly afterCommit: (effect: () => void) => void;
}

/** The merchant and mode whose records are read, and the merchant's currency, for amounts without a currency. */
export interface WithOwner {
  readonly principal: Pick<Principal, 'merchantId' | 'mode' | 'currency'>;
}

/** Adds the caller to a context. */
export interface WithPrincipal {
  principal: Principal;
}

/**
 * Returns the same context with a new entity manager, because entities that another entity manager has read may be out
 * of date. The new context is outside every transaction, as its type shows.
 */
export function withFreshEntityManager<Given extends Context>(
  context: Given,
): Omit<Given, keyof WriteContext> & Context {
  return { ...context, em: context.em.fork() };
}
