import type { Webhook } from './webhook-arrival.ts';
import { isServiceSignature, isStandardSignature, type SecretKeys } from './webhook-signature.ts';

/** The reason why a webhook was refused. */
export type VerificationFailure = 'missing_headers' | 'wrong_signature' | 'timestamp_out_of_tolerance' | 'invalid_body';

/**
 * Returns the reason to refuse a webhook, or null. `webhook-signature` proves more, so only that one is checked if it
 * is present. `X-Service-Signature` alone is accepted only with `requireTimestamp: false`, because it signs no time: an
 * attacker who has an old webhook could otherwise send it again without the other headers.
 * See docs/decisions/sdk.md, "The verifier requires the signed time".
 */
export async function failureOf(webhook: Webhook): Promise<VerificationFailure | null> {
  const { body, header, secrets, options } = webhook;
  const standard = header('webhook-signature');
  if (standard === null && options?.requireTimestamp === false) return serviceFailureOf(webhook);

  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  if (standard === null || id === null || timestamp === null) return 'missing_headers';
  if (!(await isAny(secrets, (keys) => isStandardSignature(standard, keys, { id, timestamp, body })))) {
    return 'wrong_signature';
  }
  return isRecent(timestamp, options?.toleranceSeconds ?? 300) ? null : 'timestamp_out_of_tolerance';
}

async function serviceFailureOf({ body, header, secrets }: Webhook): Promise<VerificationFailure | null> {
  const signature = header('x-service-signature');
  if (signature === null) return 'missing_headers';
  return (await isAny(secrets, (keys) => isServiceSignature(signature, keys, body))) ? null : 'wrong_signature';
}

async function isAny(secrets: SecretKeys[], matches: (keys: SecretKeys) => Promise<boolean>): Promise<boolean> {
  for (const keys of secrets) if (await matches(keys)) return true;
  return false;
}

// With a timestamp or a tolerance that is not a number, this is false.
function isRecent(timestamp: string, toleranceSeconds: number): boolean {
  return /^\d+$/.test(timestamp) && Math.abs(nowInSeconds() - Number(timestamp)) <= toleranceSeconds;
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
