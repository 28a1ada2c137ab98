import { defineEntity, p } from '@mikro-orm/core';

const MerchantLogoSchema = defineEntity({
  name: 'MerchantLogo',
  properties: {
    merchantId: p.uuid().primary(),
    /** The SHA-256 of `png`, in hex. */
    hash: p.text(),
    png: p.blob(),
    createdAt: p.datetime(3),
  },
});

export class MerchantLogo extends MerchantLogoSchema.class {}
MerchantLogoSchema.setClass(MerchantLogo);
