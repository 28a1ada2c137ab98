import { defineEntity, p } from '@mikro-orm/core';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';

const OidcIdentitySchema = defineEntity({
  name: 'OidcIdentity',
  properties: {
    issuer: p.text().primary(),
    /** The issuer's own name of the person, which never changes, unlike an email address. */
    subject: p.text().primary(),
    /** Null after the user was removed. */
    user: () => p.manyToOne(DashboardUser).nullable(),
    createdAt: p.datetime(3),
  },
});

export class OidcIdentity extends OidcIdentitySchema.class {}
OidcIdentitySchema.setClass(OidcIdentity);
