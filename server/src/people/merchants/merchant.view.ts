import type { Account, MerchantRecord, Settings } from '@tillhook/openapi';
import type { Context } from '../../context.ts';
import { logoFile, type Merchant } from './merchant.entity.ts';

export function merchantView({ id, name, currency }: Merchant): Account['merchant'] {
  return { id, name, currency };
}

export function merchantRecordView(merchant: Merchant): MerchantRecord {
  const { suspendedAt, requiresTwoStep, createdAt } = merchant;
  const isSuspended = suspendedAt != null;
  return { ...merchantView(merchant), isSuspended, requiresTwoStep, createdAt: createdAt.toISOString() };
}

export function settingsView(merchant: Merchant, { publicUrl, config }: Context): Settings {
  return {
    merchantId: merchant.id,
    name: merchant.name,
    currency: merchant.currency,
    timeZone: merchant.timeZone,
    transferFee: Number(merchant.transferFee),
    logoUrl: merchant.logoHash ? `${publicUrl}/checkout/assets/${logoFile(merchant.logoHash)}` : null,
    colour: merchant.colour ?? null,
    termsUrl: merchant.termsUrl ?? null,
    supportUrl: merchant.supportUrl ?? null,
    supportEmail: merchant.supportEmail ?? null,
    statementName: merchant.statementName ?? null,
    supportRefundLimit: merchant.supportRefundLimit == null ? null : Number(merchant.supportRefundLimit),
    sendReceipts: merchant.sendReceipts,
    replyTo: merchant.replyTo ?? null,
    mailDelivery: mailDeliveryOf(config),
    createdAt: merchant.createdAt.toISOString(),
  };
}

function mailDeliveryOf({ mail }: Context['config']): Settings['mailDelivery'] {
  if (!mail) return 'none';
  return mail.url ? 'mail_server' : 'mailbox';
}
