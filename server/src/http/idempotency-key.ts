import { createHash } from 'node:crypto';
import type { ModelOperation } from '@tillhook/openapi';
import type { Request } from 'express';
import type { IdempotencyKey } from '../operation/idempotency.ts';

/** The key of a request, where the operation takes one and the caller sent one. */
export function idempotencyKeyOf(request: Request, { parameters }: ModelOperation): IdempotencyKey | null {
  const value = request.get('Idempotency-Key');
  const isTaken = parameters.some(({ name }) => name === 'Idempotency-Key');
  if (value === undefined || !isTaken) return null;
  const { method, originalUrl, rawBody = '' } = request;
  const fingerprint = createHash('sha256').update(`${method} ${originalUrl}\n`).update(rawBody).digest();
  return { value, fingerprint };
}
