import { defineEntity, p } from '@mikro-orm/core';
import { dayMs } from '../../kit/hours.ts';
import { DashboardUser } from './dashboard-user.entity.ts';

const KnownBrowserSchema = defineEntity({
  name: 'KnownBrowser',
  properties: {
    /** The hash of user and token together: several users of one browser have different hashes. */
    tokenHash: p.blob().primary(),
    user: () => p.manyToOne(DashboardUser),
    seenAt: p.datetime(3),
  },
});

/** Browsers keep a cookie for 400 days at most. */
export const browserLifeMs = 400 * dayMs;

/** A browser in which a user has signed in. Only the browser's cookie has the token itself. */
export class KnownBrowser extends KnownBrowserSchema.class {}
KnownBrowserSchema.setClass(KnownBrowser);
