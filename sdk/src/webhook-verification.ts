import type { Webhook } from './webhook-arrival.ts';
import { isServiceSignature, isStandardSignature, type SecretKeys } from './webhook-signature.ts';

/** The reason why a webhook was rejected. */
export type VerificationFailure =
  | 'empty_body'
  | 'missing_headers'
  | 'wrong_signature'
  | 'timestamp_out_of_tolerance'
  | 'invalid_body';

/**
 * Checks only `webhook-signature` if the webhook has this header, because this signature also covers the timestamp.
 * `X-Service-Signature` alone is accepted only with `requireTimestamp: false`, because an attacker could send an old
 * webhook again.
 * See docs/decisions/sdk.md, "The verifier requires the signed time".
 */
export async function failureOf({ body, header, secrets, options }: Webhook): Promise<VerificationFailure | null> {
  // An empty body is not an event, even if its signature is valid.
  const wrong = body.length ? 'wrong_signature' : 'empty_body';
  const standard = header('webhook-signature');
  const service = header('x-service-signature');
  if (standard == null && service != null && options?.requireTimestamp === false) {
    return (await isAny(secrets, (keys) => isServiceSignature(service, keys, body))) ? null : wrong;
  }

  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  if (standard == null || id == null || timestamp == null) return 'missing_headers';
  if (!(await isAny(secrets, (keys) => isStandardSignature(standard, keys, { id, timestamp, body })))) return wrong;
  // The comparison is false when the timestamp or the tolerance is not a number.
  const isRecent =
    /^\d+$/.test(timestamp) && Math.abs(nowInSeconds() - Number(timestamp)) <= (options?.toleranceSeconds ?? 300);
  return isRecent ? null : 'timestamp_out_of_tolerance';
}

async function isAny(secrets: SecretKeys[], matches: (keys: SecretKeys) => Promise<boolean>): Promise<boolean> {
  for (const keys of secrets) if (await matches(keys)) return true;
  return false;
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
