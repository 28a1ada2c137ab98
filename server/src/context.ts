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

export interface Principal {
  merchantId: string;
  mode: Mode;
  currency: string;
  /** The scopes of an API key. Null means that every operation is allowed. */
  scopes: readonly Scope[] | null;
  actor: Actor;
}

export type Actor =
  | { type: 'key'; apiKeyId: string; lastUsedAt?: Date | null }
  | { type: 'user'; userId: string; email: string; role: Role; lacksTwoStep: boolean; sessionHash: Uint8Array };

export interface Client {
  address: string | null;
  browser: string | null;
  /** Returns the token by which this browser is known, or a new one, which a sign-in sets as a cookie. */
  browserToken?: () => string;
}

export type Reader = Pick<
  SqlEntityManager,
  'find' | 'findOne' | 'findAndCount' | 'count' | 'countBy' | 'fork' | 'map' | 'getMetadata' | 'isInTransaction'
>;

// See docs/decisions/requests.md, "The context inside a transaction has another type".
export type Writer = Reader & Pick<SqlEntityManager, 'persist' | 'getKysely'>;

/** Services cannot call the payout processors: only a job calls them, outside every transaction. */
export interface Payouts {
  serves(mode: Mode): boolean;
  readonly ring: () => void;
}

export interface EventOwner {
  merchantId: string;
  mode: Mode;
}

// Choice: the types of webhooks, from `WaitForEvent` to `LeaseOffer`, are here: the context carries their values.
export interface WaitForEvent {
  /** The waiting call has read every event with a position below `since`. */
  since: bigint;
  leftMs: number;
  signal: AbortSignal | undefined;
  /** True after the filter of the call excluded the event that woke the call. Then only the regular check wakes it. */
  isPatient: boolean;
}

/** A call that waits for an event holds no database connection. */
export interface EventWaits {
  /** Resolves to the result of `read`, or to null when time is up. Rejects when the query for new events fails. */
  next<Answer>(owner: EventOwner, wait: WaitForEvent, read: () => Promise<Answer>): Promise<Answer | null>;
  ring(owner: EventOwner): void;
  count(): number;
  stop(): void;
}

export interface CoreContext {
  readonly em: Reader;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly client?: Client;
  readonly signal?: AbortSignal;
  // Throws if the caller is no longer authorized. Called after each wait, and before each piece of a streamed answer.
  // See docs/decisions/auth.md, "A call that waits identifies its caller again".
  readonly checkCallerAgain?: () => Promise<void>;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly span?: Span;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  readonly processors: Processors;
  readonly sender: Sender;
  readonly keyring: Keyring;
  readonly eventWaits: EventWaits;
}

export interface Bell {
  readonly ring: () => void;
  readonly ringFor: (deliveries: readonly DueDelivery[]) => void;
}

export interface DirectSending {
  /** Returns undefined when this process cannot send new deliveries at once, so that a claim must find them. */
  offer(): LeaseOffer | undefined;
  send(deliveries: readonly Claimed[], statementAtMs: number): void;
}

export interface Claimed {
  id: string;
  lease: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  eventTraceparent: string | null;
  endpointId: string;
  target: Target;
  attemptCount: number;
  /** Claims since the last recorded attempt. After `maxClaims`, counts only attempts to send the poison delivery. */
  claims: number;
}

/** A due delivery that is first in line for its endpoint, so that it can be claimed by id. */
export type DueDelivery = Pick<Claimed, 'id' | 'endpointId'>;

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

export interface Context extends CoreContext {
  readonly bell: Bell;
  readonly direct: DirectSending;
  readonly payouts: Payouts;
  readonly refunds: { readonly ring: () => void };
  /** Wakes the job that sends mails. */
  readonly mails: { readonly ring: () => void };
}

export interface WriteContext extends Context {
  readonly em: Writer;
  /** Runs the function once after the commit, even if it is passed several times. Never runs it after a rollback. */
  readonly afterCommit: (effect: () => void) => void;
}

export interface WithOwner {
  readonly principal: Pick<Principal, 'merchantId' | 'mode' | 'currency'>;
}

export interface WithPrincipal {
  principal: Principal;
}

/** A fresh entity manager reads each row again: entities of an earlier entity manager may be out of date. */
export function withFreshEntityManager<Given extends Context>(
  context: Given,
): Omit<Given, keyof WriteContext> & Context {
  return { ...context, em: context.em.fork() };
}
