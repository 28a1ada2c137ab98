import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';
import { Merchant } from './merchant.entity.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  properties: {
    id: p.uuid().primary(),
    merchant: () => p.manyToOne(Merchant),
    mode: p.text().$type<Mode>(),
    hash: p.blob(),
    /** What may be shown of the key after its creation. */
    prefix: p.text(),
    last4: p.text(),
    createdAt: p.datetime(3),
  },
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
