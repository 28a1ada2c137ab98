import { defineEntity, p } from '@mikro-orm/core';

const MerchantSchema = defineEntity({
  name: 'Merchant',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** The SHA-256 of the logo that the hosted page shows, in hex. Its picture is in `merchant_logo`. */
    logoHash: p.text().nullable(),
    /** The colour of the merchant on the hosted page, `#rrggbb`. */
    colour: p.text().nullable(),
    /** Where customers read the merchant's terms and find help: two addresses and an e-mail address. */
    termsUrl: p.text().nullable(),
    supportUrl: p.text().nullable(),
    supportEmail: p.text().nullable(),
    /** What customers read on the statement of their card. */
    statementName: p.text().nullable(),
    /** The currency of amounts in requests that name no currency. */
    currency: p.character().length(3),
    /** What each transfer costs, in the minor unit of the merchant's own currency. */
    transferFee: p.bigint().default('0'),
    createdAt: p.datetime(3),
    /** Whether the merchant's users must turn two-step sign-in on. */
    requiresTwoStep: p.boolean().default(false),
    /** While this is set, calls with the merchant's keys and sessions are refused. */
    suspendedAt: p.datetime(3).nullable(),
  },
});

export class Merchant extends MerchantSchema.class {}
MerchantSchema.setClass(Merchant);

/** The name of the logo's file. It contains the hash of the picture, so the file of this name never changes. */
export function logoFile(hash: string): string {
  return `logo-${hash}.png`;
}
