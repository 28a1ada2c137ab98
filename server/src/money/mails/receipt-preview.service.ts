import { type Context, withFreshEntityManager } from '../../context.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import { getMerchant } from '../../people/merchants/merchants.service.ts';
import type { MailContent } from '../../platform/mail/mails.service.ts';
import type { CustomerMail } from './customer-mail.ts';
import { receiptMail } from './receipt-mail.ts';

const urlMinutes = 10;

/** Encrypted with the token, so that no other value that this service encrypts is a token. */
const purpose = 'receipt-preview';

/** The receipt of an invented payment, from the renderer of the mails that are sent. */
export function receiptPreview(
  { publicUrl, clock }: Pick<Context, 'publicUrl' | 'clock'>,
  merchant: CustomerMail['merchant'] & Pick<Merchant, 'currency' | 'statementName'>,
  language: string,
): MailContent {
  const payment = {
    accessCode: 'preview',
    reference: 'order-1042',
    mode: 'live' as const,
    amount: 1150n,
    currency: merchant.currency,
    customerEmail: 'ada@example.com',
    locale: language,
    paymentMethod: { type: 'card' as const, brand: 'visa' as const, last4: '4242' },
    completedAt: clock.now(),
    statementName: merchant.statementName,
    lineItems: [
      { name: 'Espresso', quantity: 2, unitAmount: 350 },
      { name: 'Cappuccino', quantity: 1, unitAmount: 450 },
    ],
  };
  return receiptMail({ payment, merchant, publicUrl });
}

// See docs/decisions/mail.md, "The preview of a receipt is a separate page".
export function previewUrl({ sealer, publicUrl, clock }: Context, merchant: Merchant, language: string) {
  const expiresAt = new Date(clock.now().getTime() + urlMinutes * 60_000);
  const sealed = sealer.seal(`${merchant.id} ${language} ${expiresAt.toISOString()}`, purpose);
  const token = Buffer.from(sealed).toString('base64url');
  return { url: `${publicUrl}/mails/receipt-preview?token=${token}`, expiresAt };
}

/** Returns null for a token that is invalid or has expired. */
export async function openPreview(context: Context, token: string): Promise<MailContent | null> {
  const [merchantId = '', language = '', expiresAt = ''] = opened(context, token)?.split(' ') ?? [];
  if (!(Date.parse(expiresAt) > context.clock.now().getTime())) return null;
  return receiptPreview(context, await getMerchant(withFreshEntityManager(context), merchantId), language);
}

function opened({ sealer }: Context, token: string): string | null {
  try {
    return sealer.open(Buffer.from(token, 'base64url').toString(), purpose);
  } catch {
    return null;
  }
}
