import type { Webhook } from './webhook-arrival.ts';
import { isServiceSignature, isStandardSignature, type SecretKeys } from './webhook-signature.ts';

/** The reason why a webhook was refused. */
export type VerificationFailure =
  | 'empty_body'
  | 'missing_headers'
  | 'wrong_signature'
  | 'timestamp_out_of_tolerance'
  | 'invalid_body';

/**
 * Returns the reason to refuse a webhook, or null. `webhook-signature` proves more, so only that one is checked if it
 * is present. `X-Service-Signature` alone is accepted only with `requireTimestamp: false`, because it signs no time: an
 * attacker who has an old webhook could otherwise send it again without the other headers.
 * See docs/decisions/sdk.md, "The verifier requires the signed time".
 */
export async function failureOf({ body, header, secrets, options }: Webhook): Promise<VerificationFailure | null> {
  // An empty body with a right signature is only no event.
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
  // With a timestamp or a tolerance that is not a number, this is false.
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
