import type { OperationId } from '@tillhook/openapi';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import type { Checked } from '../requests/request-check.ts';

/** A call that the contract allows. */
export interface RememberingCall {
  request: Checked;
  mode: Mode;
  /** The body of the usual example of the operation. */
  example: unknown;
}

/**
 * For each operation, a function that returns the body of the answer; undefined when the call names an example, which
 * then is the answer. It throws an `ApiError` for a call that the state of the record forbids.
 */
export type Answers = Partial<Record<OperationId, (call: RememberingCall) => unknown>>;

export function duplicateReference(what: 'payment' | 'refund' | 'transfer' | 'top-up'): ApiError {
  return new ApiError('duplicate_reference', `A ${what} with this reference already exists`, { param: 'reference' });
}

export const notFound: ApiError = new ApiError('resource_not_found', 'No such resource');
