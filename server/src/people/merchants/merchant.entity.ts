import { defineEntity, p } from '@mikro-orm/core';

const MerchantSchema = defineEntity({
  name: 'Merchant',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** The SHA-256 of the logo, in hex. The picture is in the table `merchant_logo`. */
    logoHash: p.text().nullable(),
    /** The colour of the hosted page, in the form `#rrggbb`. */
    colour: p.text().nullable(),
    termsUrl: p.text().nullable(),
    supportUrl: p.text().nullable(),
    supportEmail: p.text().nullable(),
    /** The merchant's name on the card statements of customers. */
    statementName: p.text().nullable(),
    /** Whether customers get mails about their payments and refunds. */
    sendReceipts: p.boolean().default(false),
    /** The address to which customers reply; null for the address of the service. */
    replyTo: p.text().nullable(),
    /** The currency of amounts in requests that name no currency. */
    currency: p.character().length(3),
    /** The time zone of the IANA database whose days the figures have. */
    timeZone: p.text().default('UTC'),
    /** The fee of each transfer, in the minor unit of the merchant's own currency. */
    transferFee: p.bigint().default('0'),
    /** What a user with the role support may refund in 24 hours, in the minor unit of the merchant's own currency. */
    supportRefundLimit: p.bigint().nullable(),
    createdAt: p.datetime(3),
    requiresTwoStep: p.boolean().default(false),
    /** While `suspendedAt` is set, calls with the merchant's keys and sessions are refused. */
    suspendedAt: p.datetime(3).nullable(),
  },
});

export class Merchant extends MerchantSchema.class {}
MerchantSchema.setClass(Merchant);

/** The name contains the hash of the picture, so the file with a given name never changes. */
export function logoFile(hash: string): string {
  return `logo-${hash}.png`;
}
