import { type Operation, read } from '../../operation/operation.ts';
import { getOwnMerchant } from '../../people/merchants/merchants.service.ts';
import { previewUrl, receiptPreview } from './receipt-preview.service.ts';

export const previewReceipt: Operation<'previewReceipt'> = read(async (context, { query: { language = 'en' } }) => {
  const merchant = await getOwnMerchant(context);
  const { url, expiresAt } = previewUrl(context, merchant, language);
  const { subject } = receiptPreview(context, merchant, language);
  return { subject, url, expiresAt: expiresAt.toISOString() };
});
