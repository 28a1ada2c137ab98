import { createHash } from 'node:crypto';
import type { ModelOperation } from '@tillhook/openapi';
import type { Request } from 'express';
import type { IdempotencyKey } from '../operation/idempotency.ts';

/**
 * The key of a request, where the operation takes one and the caller sent one.
 * Choice: the key is bound to the bytes of the body, as the contract says, and not to its values. Bytes are compared the
 * same way by every version of this service, whatever one of them thinks of `1.0`, of a field that comes twice, or of the
 * order of fields. A caller that repeats a request has its bytes.
 */
export function idempotencyKeyOf(request: Request, { parameters }: ModelOperation): IdempotencyKey | null {
  const value = request.get('Idempotency-Key');
  const isTaken = parameters.some(({ name }) => name === 'Idempotency-Key');
  if (value === undefined || !isTaken) return null;
  const { method, originalUrl, rawBody = '' } = request;
  const fingerprint = createHash('sha256').update(`${method} ${originalUrl}\n`).update(rawBody).digest();
  return { value, fingerprint };
}
