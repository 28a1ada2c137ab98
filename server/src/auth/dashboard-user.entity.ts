import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../kit/role.ts';
import { Merchant } from './merchant.entity.ts';

const DashboardUserSchema = defineEntity({
  name: 'DashboardUser',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    /** Unique without regard to case. */
    email: p.text(),
    passwordHash: p.text(),
    role: p.text().$type<Role>().default('merchant'),
    /** Sealed; null while two-step sign-in is off. */
    twoStepSecret: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

/** A person who may sign in to the dashboard and look after a merchant, or, as an operator of the service, after all. */
export class DashboardUser extends DashboardUserSchema.class {
  hasTwoStep(): boolean {
    return this.twoStepSecret != null;
  }

  /** Choice: an operator may come in while the merchant that the user was made with is suspended. */
  isShutOut(): boolean {
    return this.merchant.suspendedAt != null && this.role !== 'operator';
  }
}
DashboardUserSchema.setClass(DashboardUser);
