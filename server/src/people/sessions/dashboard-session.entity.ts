import { defineEntity, p } from '@mikro-orm/core';
import { dayMs, hourMs } from '../../kit/hours.ts';
import { DashboardUser } from './dashboard-user.entity.ts';

const DashboardSessionSchema = defineEntity({
  name: 'DashboardSession',
  properties: {
    /** Only the browser's cookie has the token itself. */
    tokenHash: p.blob().primary(),
    /** The id that the list of sessions shows. */
    id: p.uuid(),
    user: () => p.manyToOne(DashboardUser),
    /** The network address and the browser's name at the sign-in. */
    address: p.text().nullable(),
    browser: p.text().nullable(),
    /** Whether the user proved two factors at the sign-in without a code of ours, such as at a company's sign-in. */
    hasTwoFactors: p.boolean().default(false),
    /** The passkey that opened the session, or was added within it; null for a password. */
    passkeyId: p.uuid().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
  },
});

const recordIntervalMs = 60_000;
const freshMs = 10 * 60_000;

export const sessionLifeMs = 7 * dayMs;
export const sessionIdleMs = 12 * hourMs;

export class DashboardSession extends DashboardSessionSchema.class {
  lacksTwoStep(): boolean {
    return this.user.lacksTwoStep() && !this.hasTwoFactors && this.passkeyId == null;
  }

  isOver(now: Date): boolean {
    const ends = Math.min(this.endsAt().getTime(), this.lastSeenAt.getTime() + sessionIdleMs);
    return ends <= now.getTime();
  }

  /** The time at which the session ends even if it is in use. */
  endsAt(): Date {
    return new Date(this.createdAt.getTime() + sessionLifeMs);
  }

  /** What calls that ask for the password take in its place. A user without a password may also have no passkey. */
  proof(): 'password' | 'passkey' | 'company' {
    if (this.passkeyId != null) {
      return this.user.passwordHash == null || this.user.lacksTwoStep() ? 'passkey' : 'password';
    }
    return this.user.passwordHash == null ? 'company' : 'password';
  }

  isFresh(now: Date): boolean {
    return now.getTime() - this.createdAt.getTime() < freshMs;
  }

  /** Whether the stored time of the session's last use is less than a minute old. */
  isUseRecorded(now: Date): boolean {
    return now.getTime() - this.lastSeenAt.getTime() < recordIntervalMs;
  }
}
DashboardSessionSchema.setClass(DashboardSession);
