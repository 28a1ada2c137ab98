import { defineEntity, p } from '@mikro-orm/core';
import { type NotificationKind, receivers } from '../../kit/notification-kinds.ts';
import type { Role } from '../../kit/permissions.ts';
import { Merchant } from '../merchants/merchant.entity.ts';

const DashboardUserSchema = defineEntity({
  name: 'DashboardUser',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    /** The email is unique, without regard to case. */
    email: p.text(),
    name: p.text().nullable(),
    /** Null for a user who has always signed in another way. */
    passwordHash: p.text().nullable(),
    /** The previous release stored `merchant` for an administrator. */
    storedRole: p.text().$type<Role | 'merchant'>().fieldName('role'),
    /** The encrypted secret of the authenticator application; null while two-step sign-in is off. */
    twoStepSecret: p.text().nullable(),
    /** The time step of the last accepted code. */
    twoStepUsed: p.bigint('number').nullable(),
    /** Becomes `twoStepSecret` when the user sends a valid code of this secret before `pendingUntil`. */
    pendingSecret: p.text().nullable(),
    pendingUntil: p.datetime(3).nullable(),
    theme: p.text().$type<OwnChoices['theme']>().default('system'),
    /** Null is the time zone of the user's browser, as for the language. */
    timeZone: p.text().nullable(),
    language: p.text().nullable(),
    /** The kinds of mail that the user has switched off. */
    mailsOff: p.array().default([]),
    views: p.json<SavedView[]>().default([]),
    createdAt: p.datetime(3),
  },
});

/** What a user chooses for themselves. Null stands for the choice of the user's browser. */
export interface OwnChoices {
  name: string | null;
  theme: 'system' | 'light' | 'dark';
  timeZone: string | null;
  language: string | null;
  mailsOff: string[];
  views: SavedView[];
}

/** What a list shows, as the query of its URL. */
interface SavedView {
  list: string;
  name: string;
  query: string;
}

/** A user of one merchant, or an operator of the service, who manages all merchants. */
export class DashboardUser extends DashboardUserSchema.class {
  get role(): Role {
    return this.storedRole === 'merchant' ? 'administrator' : this.storedRole;
  }

  set role(role: Role) {
    this.storedRole = role;
  }

  /** Keeps what `chosen` does not name. */
  choose({ mailsOff, views, ...others }: Partial<OwnChoices>): void {
    Object.assign(this, others);
    if (mailsOff) this.mailsOff = [...new Set(mailsOff)];
    if (views) this.views = [...new Map(views.map((view) => [`${view.list} ${view.name}`, view])).values()];
  }

  hasTwoStep(): boolean {
    return this.twoStepSecret != null;
  }

  /** A session can still have two steps, if a passkey or the user's company opened it. */
  lacksTwoStep(): boolean {
    return this.merchant.requiresTwoStep && !this.hasTwoStep();
  }

  /** `step` is the time step of the code that proved that the user has the secret. */
  turnTwoStepOn(sealedSecret: string, step: number): void {
    Object.assign(this, { twoStepSecret: sealedSecret, twoStepUsed: step, pendingSecret: null, pendingUntil: null });
  }

  turnTwoStepOff(): void {
    Object.assign(this, { twoStepSecret: null, twoStepUsed: null, pendingSecret: null, pendingUntil: null });
  }

  /** Returns false if a code of this time step, or of a later step, was accepted before. */
  useStep(step: number): boolean {
    if (this.twoStepUsed != null && step <= this.twoStepUsed) return false;
    this.twoStepUsed = step;
    return true;
  }

  wantsMails(kind: NotificationKind): boolean {
    return receivers[kind].includes(this.role) && !this.mailsOff.includes(kind) && !this.isSuspended();
  }

  /** Choice: an operator may sign in even while the operator's own merchant is suspended. */
  isSuspended(): boolean {
    return this.merchant.suspendedAt != null && this.role !== 'operator';
  }
}
DashboardUserSchema.setClass(DashboardUser);
