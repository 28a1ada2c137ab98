import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

/** How many a merchant may have in each mode. */
export const maxEndpoints = 16;

/** How long a replaced secret goes on signing `webhook-signature`. */
const overlapMs = 24 * 3_600_000;

export interface SealedSecret {
  sealed: string;
  last4: string;
}

/** A secret that is being replaced. Times are written as in JSON, because that is how they are stored. */
export interface SecretRotation {
  /** Becomes the endpoint's at this time, by itself. */
  next: (SealedSecret & { at: string }) | null;
  /** Signs along until this time. */
  previous: { sealed: string; until: string } | null;
}

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
    /** Why and since when we keep it inactive. */
    disabledReason: p.text().nullable(),
    disabledAt: p.datetime(3).nullable(),
    /** Deliveries in a row that failed after their last attempt. */
    failureStreak: p.integer(),
    successCount: p.bigint(),
    failureCount: p.bigint(),
    lastDeliveredAt: p.datetime(3).nullable(),
    /** When a test event was last sent to it, whatever came back. */
    testedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** A removed endpoint stays for its delivery log. */
    removedAt: p.datetime(3).nullable(),
  },
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {
  subscribes(event: string): boolean {
    return this.events === '*' || this.events.split(',').includes(event);
  }

  /** Also forgives what had led to its being disabled. */
  enable(): void {
    this.isActive = true;
    this.disabledReason = null;
    this.disabledAt = null;
    this.failureStreak = 0;
  }

  pause(): void {
    this.isActive = false;
  }

  /** Replaces what was staged before, if anything. */
  stageSecret(next: SealedSecret, switchAt: Date): void {
    const previous = this.secretRotation?.previous ?? null;
    this.secretRotation = { next: { ...next, at: switchAt.toISOString() }, previous };
  }

  /** Makes the staged secret the endpoint's, if there is one. */
  switchSecret(now: Date): void {
    Object.assign(this, switched(secretsOf(this), now));
  }

  revokeOldSecret(): void {
    if (this.secretRotation) this.secretRotation = tidied({ ...this.secretRotation, previous: null });
  }

  /** Writes down what time alone has already decided; see `sealedSecretsAt`. */
  settleSecrets(now: Date): void {
    Object.assign(this, settled(secretsOf(this), now));
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
 * The secrets that sign at this time: the endpoint's own, and those that sign `webhook-signature` along with it. The clock
 * decides, not the row: a deadline takes effect whether or not anybody has written it down since.
 */
export function sealedSecretsAt(stored: SealedSecrets, now: Date): { own: string; others: string[] } {
  const { sealedSecret, secretRotation } = stored;
  if (!secretRotation) return { own: sealedSecret, others: [] };
  const { sealedSecret: own, secretRotation: rest } = settled({ sealedSecret, secretLast4: '', secretRotation }, now);
  return { own, others: [rest?.next, rest?.previous].flatMap((other) => other?.sealed ?? []) };
}

const secretsOf = ({ sealedSecret, secretLast4, secretRotation }: WebhookEndpoint): Secrets => ({
  sealedSecret,
  secretLast4,
  secretRotation,
});

function settled(secrets: Secrets, now: Date): Secrets {
  const at = secrets.secretRotation?.next?.at;
  const isDue = at !== undefined && Date.parse(at) <= now.getTime();
  const { secretRotation, ...own } = isDue ? switched(secrets, new Date(at)) : secrets;
  const { next = null, previous = null } = secretRotation ?? {};
  const isOver = previous !== null && Date.parse(previous.until) <= now.getTime();
  return { ...own, secretRotation: tidied({ next, previous: isOver ? null : previous }) };
}

/** Choice: one old secret signs along, the latest; a rotation soon after another ends the overlap of the first. */
function switched({ sealedSecret, secretLast4, secretRotation }: Secrets, at: Date): Secrets {
  const next = secretRotation?.next;
  if (!next) return { sealedSecret, secretLast4, secretRotation };
  const until = new Date(at.getTime() + overlapMs).toISOString();
  const previous = { sealed: sealedSecret, until };
  return { sealedSecret: next.sealed, secretLast4: next.last4, secretRotation: { next: null, previous } };
}

const tidied = (rotation: SecretRotation) => (rotation.next || rotation.previous ? rotation : null);
