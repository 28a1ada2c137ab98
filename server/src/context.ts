import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.ts';
import type { Keyring } from './delivery/wire/keyring.ts';
import type { Sender } from './delivery/wire/sender.ts';
import type { Clock } from './kit/clock.ts';
import type { Logger } from './kit/logger.ts';
import type { Mode } from './kit/mode.ts';
import type { Role, Scope } from './kit/permissions.ts';
import type { Sealer } from './kit/seal.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Processors } from './processors/port.ts';

/** Who is calling, whichever credential said so. */
export interface Principal {
  merchantId: string;
  mode: Mode;
  /** The merchant's own: what an amount is in when a request names no currency. */
  currency: string;
  /** Null may do everything. */
  scopes: readonly Scope[] | null;
  actor: Actor;
}

/** A program with an API key, or a person with a session of the dashboard. */
export type Actor =
  | { type: 'key'; apiKeyId: string }
  | { type: 'user'; userId: string; email: string; role: Role; lacksTwoStep: boolean; sessionHash: Uint8Array };

/** Where a call comes from. */
export interface Origin {
  address: string | null;
  /** What the browser or program says it is. */
  browser: string | null;
}

/** What may be done outside a transaction: look. */
export type Reader = Pick<SqlEntityManager, 'find' | 'findOne' | 'findAndCount' | 'count' | 'countBy' | 'fork'>;

/**
 * What may be done inside one. Saving it is left to whoever opened it, in `database/transaction.ts`.
 * See docs/decisions/requests.md, "The context inside a transaction has another type".
 */
export type Writer = Reader & Pick<SqlEntityManager, 'persist' | 'getKysely'>;

/** What a service may know of whoever carries transfers out. They are asked by a job, outside every transaction. */
export interface Payouts {
  serves(mode: Mode): boolean;
  /** Has transfers that became due seen to. A call that finds nothing due does no harm. */
  readonly ring: () => void;
}

/** What the delivery engine works with, and everything else too. It is complete when it is made, and never changes. */
export interface CoreContext {
  readonly em: Reader;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the request comes from that this context serves. */
  readonly origin?: Origin;
  readonly metrics: Metrics;
  readonly sealer: Sealer;
  /** The base of every address that we give out, such as a hosted checkout's. */
  readonly publicUrl: string;
  /** Who takes payments in each mode. Asked outside every transaction. */
  readonly processors: Processors;
  /** Posts webhooks, over the connections of this process. */
  readonly sender: Sender;
  /** Opens the secrets that sign webhooks. */
  readonly keyring: Keyring;
}

/** What every service receives first. */
export interface Context extends CoreContext {
  /** Tells the dispatcher that a delivery became due. A call that finds nothing due does no harm. */
  readonly bell: { ring(): void };
  readonly payouts: Payouts;
}

/** The context inside a transaction: everything written through `em` is saved together or not at all. */
export interface WriteContext extends Context {
  readonly em: Writer;
  /** Runs the function once the transaction has committed, once however often it is given, and never if it fails. */
  readonly afterCommit: (effect: () => void) => void;
}

/** Adds the caller to a context. */
export interface Called {
  principal: Principal;
}

/**
 * The same context with an entity manager that has seen nothing yet: what another one read before may be out of date. It is
 * outside every transaction, and so is its type, whatever was given.
 */
export function ofItsOwn<Given extends Context>(context: Given): Omit<Given, keyof WriteContext> & Context {
  return { ...context, em: context.em.fork() };
}
