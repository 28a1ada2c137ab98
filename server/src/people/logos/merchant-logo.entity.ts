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

/** The logo of a merchant, which customers see. */
export class MerchantLogo extends MerchantLogoSchema.class {}
MerchantLogoSchema.setClass(MerchantLogo);
