import type { OperationId } from '@tillhook/openapi';
import type { Mode } from '../requests/credentials.ts';
import { Refusal } from '../requests/refusal.ts';
import type { Checked } from '../requests/request-check.ts';

/** A call that the contract allows. */
export interface RememberingCall {
  request: Checked;
  mode: Mode;
  /** The body of the usual example of the operation. */
  example: unknown;
}

/**
 * For each operation, a function that returns the body of the answer; undefined when the call names an example, which is then
 * the answer. It throws the refusal of the service for a call that the state of a record forbids.
 */
export type Answers = Partial<Record<OperationId, (call: RememberingCall) => unknown>>;

export function duplicateReference(what: 'payment' | 'refund' | 'transfer' | 'top-up'): Refusal {
  return new Refusal('duplicate_reference', `A ${what} with this reference already exists`, { param: 'reference' });
}

export const notFound: Refusal = new Refusal('resource_not_found', 'No such resource');
