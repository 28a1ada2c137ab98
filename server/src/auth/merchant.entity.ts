import { defineEntity, p } from '@mikro-orm/core';

const MerchantSchema = defineEntity({
  name: 'Merchant',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** What an amount is in when a request names no currency. */
    currency: p.character().length(3),
    createdAt: p.datetime(3),
  },
});

export class Merchant extends MerchantSchema.class {}
MerchantSchema.setClass(Merchant);
