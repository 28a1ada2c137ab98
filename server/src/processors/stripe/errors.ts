/** Interprets the errors of Stripe's client. */
import { Stripe } from 'stripe';
import { ProcessorError } from '../port.ts';

/**
 * Whether Stripe refused the request: it created nothing, and a retry is useless. The class of the error is not enough
 * to decide, because Stripe's client also throws this class for a 409, which means that a request with the same
 * idempotency key is still running.
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
