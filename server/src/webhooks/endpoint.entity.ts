import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

/** How many a merchant may have in each mode. */
export const maxEndpoints = 16;

const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    url: p.text(),
    sealedSecret: p.text(),
    secretLast4: p.text(),
    /** `*`, or event names in the contract's order, joined by commas. */
    events: p.text(),
    isActive: p.boolean(),
    successCount: p.bigint(),
    failureCount: p.bigint(),
    lastDeliveredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** A removed endpoint stays for its delivery log. */
    removedAt: p.datetime(3).nullable(),
  },
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {
  subscribes(event: string): boolean {
    return this.events === '*' || this.events.split(',').includes(event);
  }

  remove(now: Date): void {
    this.removedAt = now;
    this.isActive = false;
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);
