import { defineEntity, p } from '@mikro-orm/core';
import { dayMs } from '../../kit/hours.ts';
import type { Mode } from '../../kit/mode.ts';
import type { SealedSecret, SecretRotation } from '../../kit/secret-rotation.ts';

/** The maximum number of endpoints of a merchant in each mode. */
export const maxEndpoints = 16;

/** The time for which a replaced secret still signs `webhook-signature`. */
const overlapMs = dayMs;

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
    /** Set by a trigger. Null while the endpoint has the secret that it was created with. */
    secretsChangedAt: p.datetime(3).nullable(),
    /** `*`, or event names in the contract's order, joined by commas. */
    events: p.text(),
    isActive: p.boolean(),
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    /** The number of deliveries in a row that failed after their last attempt. */
    failureStreak: p.integer(),
    /** The time of the first failed attempt since the last successful attempt. */
    failingSince: p.datetime(3).nullable(),
    successCount: p.bigint(),
    failureCount: p.bigint(),
    lastDeliveredAt: p.datetime(3).nullable(),
    testedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** A removed endpoint keeps its row, because the delivery log refers to it. */
    removedAt: p.datetime(3).nullable(),
  },
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {
  enable(): void {
    this.isActive = true;
    this.disabledReason = null;
    this.disabledAt = null;
    this.failureStreak = 0;
    this.failingSince = null;
  }

  pause(): void {
    this.isActive = false;
  }

  stageSecret(next: SealedSecret, switchAt: Date): void {
    const previous = this.secretRotation?.previous ?? null;
    this.secretRotation = { next: { ...next, at: switchAt.toISOString() }, previous };
  }

  switchSecret(now: Date): void {
    Object.assign(this, withSwitchedSecret(secretsOf(this), now));
  }

  revokeOldSecret(): void {
    if (this.secretRotation) this.secretRotation = nullIfEmpty({ ...this.secretRotation, previous: null });
  }

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

  completeRotation(now: Date): void {
    Object.assign(this, secretsInUseAt(secretsOf(this), now));
  }

  remove(now: Date): void {
    this.removedAt = now;
    this.isActive = false;
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);

export type SealedSecrets = Omit<Secrets, 'secretLast4'>;

/** The clock decides which secrets sign: a deadline takes effect even before the row is updated. */
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

/** Choice: at most one old secret still signs, so a second rotation within a day ends the older secret at once. */
function withSwitchedSecret({ sealedSecret, secretLast4, secretRotation }: Secrets, at: Date): Secrets {
  const next = secretRotation?.next;
  if (!next) return { sealedSecret, secretLast4, secretRotation };
  const until = new Date(at.getTime() + overlapMs).toISOString();
  const previous = { sealed: sealedSecret, until };
  return { sealedSecret: next.sealed, secretLast4: next.last4, secretRotation: { next: null, previous } };
}

const nullIfEmpty = (rotation: SecretRotation) => (rotation.next || rotation.previous ? rotation : null);
