import { defineEntity, p } from '@mikro-orm/core';

const DeliveryAttemptSchema = defineEntity({
  name: 'DeliveryAttempt',
  properties: {
    deliveryId: p.uuid().primary(),
    /** 1-based: the value of the header `X-Service-Attempt`. */
    attempt: p.integer().primary(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** Null when the receiver gave no status. */
    statusCode: p.integer().nullable(),
    error: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    responseBody: p.text().nullable(),
    responseTruncated: p.boolean(),
  },
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);
