/**
 * One trace leads from a call of the API to the event that the call published, and to each attempt to deliver that
 * event, even if another process makes the attempt hours later. Modules begin and end spans through this interface.
 * Only the recording tracer uses OpenTelemetry, which is loaded only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Every
 * trace begins with a call. A span that is never ended is never exported, so a rolled-back transaction leaves no span.
 * See docs/decisions/traces.md, "A trace begins with a call, and its position is stored".
 */
import type { Mode } from '../../kit/mode.ts';

/** A span that has begun and is recorded. */
export interface Span {
  readonly traceId: string;
  /** The trace context of this span, as the value of the header `traceparent` (W3C Trace Context). */
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
  /** Undefined when the contract has no operation for the method and path of the call. */
  operationId: string | undefined;
  /** The path as the contract writes it, with the names of parameters instead of their values. */
  route: string | undefined;
  method: string;
  status: number;
  /** Whether the client disconnected before the end of the response. */
  isAborted: boolean;
  requestId: string;
  /** Undefined when the caller was not authenticated. */
  caller: { merchantId: string; mode: Mode } | undefined;
}

/** The calls to which an event may belong: the call that publishes the event, or the call that created its payment. */
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
  /** The number of the attempt, from 1. */
  attempt: number;
  /** The host and port of the receiver. Undefined when the URL of the receiver cannot be parsed. */
  host: string | undefined;
}

/**
 * Each function that begins a span returns undefined when the span is not recorded.
 * See docs/decisions/traces.md, "A call that is not sampled leaves nothing".
 */
export interface Tracer {
  /** Begins the span of a call, and continues the caller's trace if the request has a valid header `traceparent`. */
  beginCall(traceparent: string | undefined): CallSpan | undefined;
  beginEvent(parents: EventParents, event: TracedEvent): EventSpan | undefined;
  /** Begins the span of an attempt to deliver the event with this `traceparent`. */
  beginAttempt(traceparent: string, attempt: TracedAttempt): AttemptSpan | undefined;
  /** Exports the spans that have ended, within a time limit. */
  stop(): Promise<void>;
}
