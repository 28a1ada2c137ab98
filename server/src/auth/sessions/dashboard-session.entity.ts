import { defineEntity, p } from '@mikro-orm/core';
import { DashboardUser } from './dashboard-user.entity.ts';

const DashboardSessionSchema = defineEntity({
  name: 'DashboardSession',
  properties: {
    /** The token itself is only in the browser's cookie. */
    tokenHash: p.blob().primary(),
    /** What it is called in the list of sessions. */
    id: p.uuid(),
    user: () => p.manyToOne(DashboardUser),
    /** Where it was begun: the address of the network, and what the browser says it is. */
    address: p.text().nullable(),
    browser: p.text().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
  },
});

const hourMs = 3_600_000;
const writtenEveryMs = 60_000;

/** A session ends a week after the sign-in, and when nobody used it for twelve hours. */
export const sessionLifeMs = 7 * 24 * hourMs;
export const sessionIdleMs = 12 * hourMs;

export class DashboardSession extends DashboardSessionSchema.class {
  isOver(now: Date): boolean {
    const ends = Math.min(this.endsAt().getTime(), this.lastSeenAt.getTime() + sessionIdleMs);
    return ends <= now.getTime();
  }

  /** However busy it is. */
  endsAt(): Date {
    return new Date(this.createdAt.getTime() + sessionLifeMs);
  }

  /** Whether the last visit is written down already, nearly enough. */
  isFresh(now: Date): boolean {
    return now.getTime() - this.lastSeenAt.getTime() < writtenEveryMs;
  }
}
DashboardSessionSchema.setClass(DashboardSession);
