import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';
import type { SealedSecret, SecretRotation } from '../../kit/secret-rotation.ts';

/** The maximum number of endpoints of a merchant in each mode. */
export const maxEndpoints = 16;

/** The time for which a replaced secret still signs `webhook-signature`. */
const overlapMs = 24 * 3_600_000;

/** The reason why the service disabled an endpoint. */
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
    /** The reason why the service disabled the endpoint; null if the service did not disable it. */
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    /** The number of deliveries in a row that failed after their last attempt. */
    failureStreak: p.integer(),
    successCount: p.bigint(),
    failureCount: p.bigint(),
    lastDeliveredAt: p.datetime(3).nullable(),
    /** The time of the last test event, whatever its result. */
    testedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** A removed endpoint keeps its row, because the delivery log refers to it. */
    removedAt: p.datetime(3).nullable(),
  },
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {
  /** Makes the endpoint active, and resets the failures that may have disabled it. */
  enable(): void {
    this.isActive = true;
    this.disabledReason = null;
    this.disabledAt = null;
    this.failureStreak = 0;
  }

  pause(): void {
    this.isActive = false;
  }

  /** Stages a secret, which replaces an earlier staged secret. */
  stageSecret(next: SealedSecret, switchAt: Date): void {
    const previous = this.secretRotation?.previous ?? null;
    this.secretRotation = { next: { ...next, at: switchAt.toISOString() }, previous };
  }

  /** Makes the staged secret the endpoint's secret. Does nothing if no secret is staged. */
  switchSecret(now: Date): void {
    Object.assign(this, withSwitchedSecret(secretsOf(this), now));
  }

  revokeOldSecret(): void {
    if (this.secretRotation) this.secretRotation = nullIfEmpty({ ...this.secretRotation, previous: null });
  }

  /** Makes the deadlines of a rotation earlier by `seconds`, and applies the deadlines that are then due. */
  bringRotationNearer(seconds: number, now: Date): void {
    if (!this.secretRotation) return;
    const { next, previous } = this.secretRotation;
    const nearer = (moment: string) => new Date(Date.parse(moment) - seconds * 1000).toISOString();
    this.secretRotation = {
      next: next && { ...next, at: nearer(next.at) },
      previous: previous && { ...previous, until: nearer(previous.until) },
    };
    this.completeRotation(now);
  }

  /** Updates the stored secrets to the secrets in use at the time `now`; see `sealedSecretsAt`. */
  completeRotation(now: Date): void {
    Object.assign(this, secretsInUseAt(secretsOf(this), now));
  }

  remove(now: Date): void {
    this.removedAt = now;
    this.isActive = false;
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);

/** The secrets of an endpoint, as stored in its row. */
export type SealedSecrets = Omit<Secrets, 'secretLast4'>;

/**
 * Returns the secrets that sign at this time: the endpoint's own secret, and the other secrets that also sign
 * `webhook-signature`. The clock decides: a deadline takes effect even before the row is updated.
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

/** Choice: only the latest old secret still signs. So a second rotation within a day ends the overlap of the first. */
function withSwitchedSecret({ sealedSecret, secretLast4, secretRotation }: Secrets, at: Date): Secrets {
  const next = secretRotation?.next;
  if (!next) return { sealedSecret, secretLast4, secretRotation };
  const until = new Date(at.getTime() + overlapMs).toISOString();
  const previous = { sealed: sealedSecret, until };
  return { sealedSecret: next.sealed, secretLast4: next.last4, secretRotation: { next: null, previous } };
}

const nullIfEmpty = (rotation: SecretRotation) => (rotation.next || rotation.previous ? rotation : null);
