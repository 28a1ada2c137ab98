import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';
import type { Scope } from '../../kit/permissions.ts';
import { Merchant } from '../merchants/merchant.entity.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    /** What it is for. */
    name: p.text().nullable(),
    mode: p.text().$type<Mode>(),
    hash: p.blob(),
    /** What may be shown of the key after its creation. */
    prefix: p.text(),
    last4: p.text(),
    /** Null may do everything. */
    scopes: p.array().$type<Scope[]>().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** Exact to a minute. */
    lastUsedAt: p.datetime(3).nullable(),
    /** The key that this one replaces. */
    rolledFrom: p.uuid().nullable(),
  },
});

export class ApiKey extends ApiKeySchema.class {
  isExpired(now: Date): boolean {
    return isAtOrBefore(this.expiresAt, now);
  }

  /** Lets the key end at this moment. A key that ends sooner is not given a longer life. */
  expireAt(end: Date): void {
    if (!isAtOrBefore(this.expiresAt, end)) this.expiresAt = end;
  }

  /** A key that was revoked keeps its moment. */
  revoke(now: Date): void {
    this.revokedAt ??= now;
  }
}
ApiKeySchema.setClass(ApiKey);

function isAtOrBefore(moment: Date | null | undefined, other: Date): boolean {
  return moment != null && moment.getTime() <= other.getTime();
}
