import type { OperationId } from '@tillhook/openapi';
import type { Mode } from '../credentials.ts';
import type { Checked } from '../request-check.ts';

/** A call that the contract allows. */
export interface RememberingCall {
  request: Checked;
  mode: Mode;
  /** The body of the usual example of the operation. */
  example: unknown;
}

/**
 * By operation, the body of the answer: undefined when the call is about nothing that the mock remembers, and gets an
 * example. Throws a refusal where the service would refuse the call because of what happened before.
 */
export type Answers = Partial<Record<OperationId, (call: RememberingCall) => unknown>>;
