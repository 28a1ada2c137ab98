import { defineEntity, p } from '@mikro-orm/core';
import { AppError } from '../../kit/errors.ts';
import { dayMs } from '../../kit/hours.ts';
import type { MemberRole } from '../../kit/permissions.ts';
import { Merchant } from '../merchants/merchant.entity.ts';

const InvitationSchema = defineEntity({
  name: 'Invitation',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    email: p.text(),
    role: p.text().$type<MemberRole>(),
    /** Only the link has the token itself. */
    tokenHash: p.blob(),
    /** The email of the user who invited; null for an operator. */
    invitedBy: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    acceptedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

const lifeMs = 7 * dayMs;

export class Invitation extends InvitationSchema.class {
  /** The earlier link stops working, because only the hash of its token was stored. */
  renew(now: Date, tokenHash: Buffer): void {
    this.tokenHash = tokenHash;
    this.expiresAt = new Date(now.getTime() + lifeMs);
  }

  requireOpen(): void {
    if (this.acceptedAt) throw over('was accepted already');
    if (this.revokedAt) throw over('was revoked');
  }

  requireUsable(now: Date): void {
    this.requireOpen();
    if (this.expiresAt <= now) throw over('has expired: ask for a new one');
  }
}
InvitationSchema.setClass(Invitation);

function over(how: string): AppError {
  return new AppError('invitation_over', `This invitation ${how}`);
}
