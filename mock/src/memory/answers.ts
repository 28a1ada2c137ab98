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
 * By operation, the body of the answer: undefined when the call is about an example of the contract, which is then the
 * answer. Throws a refusal where the service would refuse the call because of what happened before.
 */
export type Answers = Partial<Record<OperationId, (call: RememberingCall) => unknown>>;

export function duplicateReference(what: 'payment' | 'refund' | 'transfer' | 'top-up'): Refusal {
  return new Refusal('duplicate_reference', `A ${what} with this reference already exists`, { param: 'reference' });
}

export const notFound: Refusal = new Refusal('resource_not_found', 'No such resource');
