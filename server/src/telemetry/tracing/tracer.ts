/**
 * A trace leads from a call of the API to its event and to each attempt to deliver the event, even hours later in
 * another process. A span that is never ended is never exported, so a rolled-back transaction leaves no span.
 * See docs/decisions/traces.md, "A trace begins with a call, and its position is stored".
 */
import type { Mode } from '../../kit/mode.ts';

export interface Span {
  readonly traceId: string;
  readonly traceparent: string;
}

export interface CallSpan extends Span {
  end(call: EndedCall): void;
}

export interface EventSpan extends Span {
  /** Called after the commit. */
  end(): void;
}

export interface AttemptSpan extends Span {
  end(outcome: { statusCode: number | null; error: string | null }): void;
}

export interface EndedCall {
  /** `operationId` is undefined when the contract has no operation for the call. */
  operationId: string | undefined;
  /** The path as in the contract, with the names of parameters instead of their values. */
  route: string | undefined;
  method: string;
  status: number;
  /** Whether the client disconnected before the end of the response. */
  isAborted: boolean;
  requestId: string;
  caller: { merchantId: string; mode: Mode } | undefined;
}

export interface EventParents {
  call: Span | undefined;
  /** The `traceparent` of the call that created the payment. Null when that call was not recorded. */
  creation: string | null;
}

export interface TracedEvent {
  id: string;
  name: string;
  merchantId: string;
  mode: Mode;
}

export interface TracedAttempt {
  deliveryId: string;
  eventId: string;
  eventName: string;
  webhookId: string;
  merchantId: string;
  mode: Mode;
  attempt: number;
  /** The host and port of the receiver; undefined when its URL cannot be parsed. */
  host: string | undefined;
}

// See docs/decisions/traces.md, "A call that is not sampled leaves nothing".
export interface Tracer {
  beginCall(traceparent: string | undefined): CallSpan | undefined;
  beginEvent(parents: EventParents, event: TracedEvent): EventSpan | undefined;
  beginAttempt(traceparent: string, attempt: TracedAttempt): AttemptSpan | undefined;
  stop(): Promise<void>;
}
