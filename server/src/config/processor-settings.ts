import { z } from 'zod';
import { address, oneOf } from './setting-values.ts';

export const processorSettings = {
  PAYOUT_PROCESSOR: oneOf('manual').optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(live|test)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the signing secret of an endpoint at Stripe, whsec_…')
    .optional(),
  STRIPE_API_URL: address({ example: 'https://api.stripe.com', schemes: ['https', 'http'] }).default(
    'https://api.stripe.com',
  ),
};

export const secretProcessorSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] satisfies (keyof typeof processorSettings)[];

type ProcessorSettings = z.infer<z.ZodObject<typeof processorSettings>>;

export function processorsOf(given: ProcessorSettings) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = given;
  return {
    payouts: given.PAYOUT_PROCESSOR ?? null,
    stripe: secretKey && webhookSecret ? { secretKey, webhookSecret, apiUrl } : null,
  };
}

export function processorContradictions(
  given: Partial<ProcessorSettings> & { PUBLIC_URL?: string | undefined; RATE_LIMITS?: unknown },
): string[] {
  const problems: string[] = [];
  if (Boolean(given.STRIPE_SECRET_KEY) !== Boolean(given.STRIPE_WEBHOOK_SECRET)) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: go together');
  }
  if (given.STRIPE_SECRET_KEY && given.RATE_LIMITS === null) {
    problems.push('RATE_LIMITS: cannot be off where live payments are taken');
  }
  if (!/^[rs]k_live_/.test(given.STRIPE_SECRET_KEY ?? '')) return problems;
  if (!given.PUBLIC_URL)
    problems.push('PUBLIC_URL: required with a live key of Stripe, which sends customers back to it');
  if (given.STRIPE_API_URL?.startsWith('http:'))
    problems.push('STRIPE_API_URL: must be https with a live key of Stripe');
  return problems;
}
