import { defineEntity, p } from '@mikro-orm/core';

const MerchantSchema = defineEntity({
  name: 'Merchant',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** Shown on the hosted page, from this address. */
    logoUrl: p.text().nullable(),
    /** Of the hosted page's buttons, `#rrggbb`; white text can be read on it. */
    colour: p.text().nullable(),
    /** What an amount is in when a request names no currency. */
    currency: p.character().length(3),
    /** What each transfer costs, in the minor unit of the merchant's own currency. */
    transferFee: p.bigint().default('0'),
    createdAt: p.datetime(3),
    /** Whether its users have to turn two-step sign-in on. */
    requiresTwoStep: p.boolean().default(false),
    /** While it is set, the merchant's keys and sessions are refused. */
    suspendedAt: p.datetime(3).nullable(),
  },
});

export class Merchant extends MerchantSchema.class {}
MerchantSchema.setClass(Merchant);
