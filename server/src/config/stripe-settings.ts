/** The settings of payments through Stripe. */
import { z } from 'zod';
import { address } from './setting-values.ts';

export const stripeSettings = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(live|test)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…')
    .optional()
    .describe('for live payments through Stripe; none are taken when unset'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the signing secret of an endpoint at Stripe, whsec_…')
    .optional()
    .describe("signing secret of Stripe's endpoint for /processors/stripe/webhook"),
  STRIPE_API_URL: address({ example: 'https://api.stripe.com', schemes: ['https', 'http'] })
    .default('https://api.stripe.com')
    .describe('where Stripe is reached'),
};

type Given = z.infer<z.ZodObject<typeof stripeSettings>>;

/** Returns null when Stripe is not configured. */
export function stripeOf(given: Given) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = given;
  return secretKey && webhookSecret ? { secretKey, webhookSecret, apiUrl } : null;
}

export function stripeContradictions(given: Partial<Given> & { PUBLIC_URL?: string | undefined }): string[] {
  const problems: string[] = [];
  if (Boolean(given.STRIPE_SECRET_KEY) !== Boolean(given.STRIPE_WEBHOOK_SECRET)) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: go together');
  }
  if (!/^[rs]k_live_/.test(given.STRIPE_SECRET_KEY ?? '')) return problems;
  if (!given.PUBLIC_URL)
    problems.push('PUBLIC_URL: required with a live key of Stripe, which sends customers back to it');
  if (given.STRIPE_API_URL?.startsWith('http:'))
    problems.push('STRIPE_API_URL: must be https with a live key of Stripe');
  return problems;
}
