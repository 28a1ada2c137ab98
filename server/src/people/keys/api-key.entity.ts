import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';
import type { Scope } from '../../kit/permissions.ts';
import { Merchant } from '../merchants/merchant.entity.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    name: p.text().nullable(),
    mode: p.text().$type<Mode>(),
    hash: p.blob(),
    /** The first 12 characters of the key, which may be shown after the key was created. */
    prefix: p.text(),
    last4: p.text(),
    /** Null when the key may do everything. */
    scopes: p.array().$type<Scope[]>().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** The time of the key's last use, exact to a minute. */
    lastUsedAt: p.datetime(3).nullable(),
    /** The id of the key that this key replaces. */
    rolledFrom: p.uuid().nullable(),
  },
});

export class ApiKey extends ApiKeySchema.class {
  isExpired(now: Date): boolean {
    return isAtOrBefore(this.expiresAt, now);
  }

  expireAt(end: Date): void {
    if (!isAtOrBefore(this.expiresAt, end)) this.expiresAt = end;
  }

  revoke(now: Date): void {
    this.revokedAt ??= now;
  }
}
ApiKeySchema.setClass(ApiKey);

function isAtOrBefore(moment: Date | null | undefined, other: Date): boolean {
  return moment != null && moment.getTime() <= other.getTime();
}
