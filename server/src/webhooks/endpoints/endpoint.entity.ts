import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';
import type { SealedSecret, SecretRotation } from '../../kit/secret-rotation.ts';

/** How many endpoints a merchant may have in each mode. */
export const maxEndpoints = 16;

/** How long a replaced secret still signs `webhook-signature`. */
const overlapMs = 24 * 3_600_000;

/** Why the service disabled an endpoint. */
export type DisabledReason = 'endpoint_gone' | 'repeated_failures';

interface Secrets {
  sealedSecret: string;
  secretLast4: string;
  secretRotation?: SecretRotation | null;
}

const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    url: p.text(),
    sealedSecret: p.text(),
    secretLast4: p.text(),
    secretRotation: p.json<SecretRotation>().nullable(),
    /** `*`, or event names in the contract's order, joined by commas. */
    events: p.text(),
    isActive: p.boolean(),
    /** Why and when the service disabled the endpoint; null when it did not. */
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    /** Deliveries in a row that failed after their last attempt. */
    failureStreak: p.integer(),
    successCount: p.bigint(),
    failureCount: p.bigint(),
    lastDeliveredAt: p.datetime(3).nullable(),
    /** When a test event was last sent to the endpoint, with any result. */
    testedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** The row of a removed endpoint stays, because its delivery log refers to it. */
    removedAt: p.datetime(3).nullable(),
  },
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {
  /** Also resets the failures that may have disabled the endpoint. */
  enable(): void {
    this.isActive = true;
    this.disabledReason = null;
    this.disabledAt = null;
    this.failureStreak = 0;
  }

  pause(): void {
    this.isActive = false;
  }

  /** Stages a secret. It replaces a secret that was staged before. */
  stageSecret(next: SealedSecret, switchAt: Date): void {
    const previous = this.secretRotation?.previous ?? null;
    this.secretRotation = { next: { ...next, at: switchAt.toISOString() }, previous };
  }

  /** Makes the staged secret the endpoint's secret. Does nothing when none is staged. */
  switchSecret(now: Date): void {
    Object.assign(this, withSwitchedSecret(secretsOf(this), now));
  }

  revokeOldSecret(): void {
    if (this.secretRotation) this.secretRotation = nullIfEmpty({ ...this.secretRotation, previous: null });
  }

  /** Brings the deadlines of a rotation nearer, and applies what is due then. */
  bringRotationNearer(seconds: number, now: Date): void {
    if (!this.secretRotation) return;
    const { next, previous } = this.secretRotation;
    const nearer = (moment: string) => new Date(Date.parse(moment) - seconds * 1000).toISOString();
    this.secretRotation = {
      next: next && { ...next, at: nearer(next.at) },
      previous: previous && { ...previous, until: nearer(previous.until) },
    };
    this.settleSecrets(now);
  }

  /** Updates the stored secrets to those in use at `now`; see `sealedSecretsAt`. */
  settleSecrets(now: Date): void {
    Object.assign(this, secretsInUseAt(secretsOf(this), now));
  }

  remove(now: Date): void {
    this.removedAt = now;
    this.isActive = false;
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);

/** The secrets of an endpoint as its row holds them. */
export type SealedSecrets = Omit<Secrets, 'secretLast4'>;

/**
 * The secrets that sign at this time: the endpoint's own, and the others that sign `webhook-signature` together with
 * it. The clock decides which these are: a deadline takes effect even if the row has not been updated since.
 */
export function sealedSecretsAt(stored: SealedSecrets, now: Date): { own: string; others: string[] } {
  const { sealedSecret, secretRotation } = stored;
  if (!secretRotation) return { own: sealedSecret, others: [] };
  const { sealedSecret: own, secretRotation: rest } = secretsInUseAt(
    { sealedSecret, secretLast4: '', secretRotation },
    now,
  );
  return { own, others: [rest?.next, rest?.previous].flatMap((other) => other?.sealed ?? []) };
}

const secretsOf = ({ sealedSecret, secretLast4, secretRotation }: WebhookEndpoint): Secrets => ({
  sealedSecret,
  secretLast4,
  secretRotation,
});

function secretsInUseAt(secrets: Secrets, now: Date): Secrets {
  const at = secrets.secretRotation?.next?.at;
  const isDue = at !== undefined && Date.parse(at) <= now.getTime();
  const { secretRotation, ...own } = isDue ? withSwitchedSecret(secrets, new Date(at)) : secrets;
  const { next = null, previous = null } = secretRotation ?? {};
  const isOver = previous !== null && Date.parse(previous.until) <= now.getTime();
  return { ...own, secretRotation: nullIfEmpty({ next, previous: isOver ? null : previous }) };
}

/**
 * Choice: only the latest old secret still signs, so a second
 * rotation within the overlap ends the overlap of the first.
 */
function withSwitchedSecret({ sealedSecret, secretLast4, secretRotation }: Secrets, at: Date): Secrets {
  const next = secretRotation?.next;
  if (!next) return { sealedSecret, secretLast4, secretRotation };
  const until = new Date(at.getTime() + overlapMs).toISOString();
  const previous = { sealed: sealedSecret, until };
  return { sealedSecret: next.sealed, secretLast4: next.last4, secretRotation: { next: null, previous } };
}

const nullIfEmpty = (rotation: SecretRotation) => (rotation.next || rotation.previous ? rotation : null);
