import { defineEntity, p } from '@mikro-orm/core';
import { Merchant } from './merchant.entity.ts';

const DashboardUserSchema = defineEntity({
  name: 'DashboardUser',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    /** Unique without regard to case. */
    email: p.text(),
    passwordHash: p.text(),
    createdAt: p.datetime(3),
  },
});

/** A person who may look after a merchant, in both modes. */
export class DashboardUser extends DashboardUserSchema.class {}
DashboardUserSchema.setClass(DashboardUser);
