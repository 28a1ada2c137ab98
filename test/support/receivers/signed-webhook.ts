import { type VerificationFailure, verify, type WebhookEvent, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import type { ExecutionContext } from 'ava';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const payload: WebhookEvent = {
  event: 'checkout.success',
  data: {
    reference: 'order-1042',
    amount: 1999,
    currency: 'USD',
    status: 'completed',
    customerEmail: 'zoë@example.com',
  },
  timestamp: '2026-11-21T10:15:30.000Z',
  webhookId: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
};

export const body = JSON.stringify(payload);

export async function refuses(
  t: ExecutionContext,
  arrival: Parameters<typeof verify>,
  code: VerificationFailure,
): Promise<void> {
  const error = await t.throwsAsync(verify(...arrival), { instanceOf: WebhookVerificationError });
  t.is(error?.code, code);
}
