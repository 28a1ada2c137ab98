import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../../kit/permissions.ts';
import { Merchant } from '../merchants/merchant.entity.ts';

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
    /** The time step of the last code that was accepted. */
    twoStepUsed: p.bigint('number').nullable(),
    /** Sealed; what becomes the secret when its first code is confirmed in time. */
    pendingSecret: p.text().nullable(),
    pendingUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** A person who may sign in to the dashboard and look after a merchant, or, as an operator of the service, after all. */
export class DashboardUser extends DashboardUserSchema.class {
  hasTwoStep(): boolean {
    return this.twoStepSecret != null;
  }

  /** Whether the merchant asks for more than this user has set up. */
  lacksTwoStep(): boolean {
    return this.merchant.requiresTwoStep && !this.hasTwoStep();
  }

  /** The step is that of the code which proved the secret. */
  turnTwoStepOn(sealedSecret: string, step: number): void {
    Object.assign(this, { twoStepSecret: sealedSecret, twoStepUsed: step, pendingSecret: null, pendingUntil: null });
  }

  turnTwoStepOff(): void {
    Object.assign(this, { twoStepSecret: null, twoStepUsed: null, pendingSecret: null, pendingUntil: null });
  }

  /** Whether a code of this time step may be accepted: not if it was, or if a later one was. */
  useStep(step: number): boolean {
    if (this.twoStepUsed != null && step <= this.twoStepUsed) return false;
    this.twoStepUsed = step;
    return true;
  }

  /** Choice: an operator may come in while the merchant that the user was made with is suspended. */
  isShutOut(): boolean {
    return this.merchant.suspendedAt != null && this.role !== 'operator';
  }
}
DashboardUserSchema.setClass(DashboardUser);
