import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { createStripe } from '@tillhook/server/src/processors/stripe/payments.ts';

export const charge = {
  attemptId: '01940000-0000-7000-8000-000000000000',
  reference: 'order-1042',
  amount: 500_000n,
  currency: 'NGN',
  customerEmail: 'ada@example.com',
  description: 'Two tickets',
  locale: 'en-NG',
  statementName: null,
  startedAt: new Date(),
  expiresAt: new Date(Date.now() + 86_400_000),
  paidUrl: 'https://pay.example.com/checkout/x?step=sent',
  backUrl: 'https://pay.example.com/checkout/x/back',
  processorId: null,
  method: 'card' as const,
  now: new Date('2026-11-21T10:00:00Z'),
};

export const processorAt = (apiUrl: string, secretKey = 'sk_test_123') =>
  createStripe({ secretKey, webhookSecret: 'whsec_x', apiUrl }, createLogger('silent'));
