import type { OperationId } from '@tillhook/openapi';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import type { Checked } from '../requests/request-check.ts';

export interface RememberingCall {
  request: Checked;
  mode: Mode;
  /** The body of the operation's default example. */
  example: unknown;
}

/** A function returns undefined if the call names an example, and throws if the record's state forbids the call. */
export type Answers = Partial<Record<OperationId, (call: RememberingCall) => unknown>>;

export function duplicateReference(what: 'payment' | 'refund' | 'transfer' | 'top-up'): ApiError {
  return new ApiError('duplicate_reference', `A ${what} with this reference already exists`, { param: 'reference' });
}

export const notFound: ApiError = new ApiError('resource_not_found', 'No such resource');
