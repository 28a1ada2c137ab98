import { Stripe } from 'stripe';
import { ProcessorError } from '../port.ts';

/**
 * Whether Stripe refused the request and created nothing. Its client also throws `StripeInvalidRequestError` for a 409,
 * while a request with the same idempotency key is running.
 */
export function isRequestError(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
}

export function processorError(error: unknown): ProcessorError {
  return new ProcessorError(describe(error));
}

/** Omits the error's message, because it may contain a part of the secret key. */
export function describe(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return 'an error outside the Stripe API';
  const { type, statusCode, code, param, requestId } = error;
  return [type, statusCode, code, param, requestId].filter((part) => part !== undefined).join(' ');
}
