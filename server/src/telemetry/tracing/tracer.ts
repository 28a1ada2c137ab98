/**
 * Traces: one trace leads from a call of the API to the event that it published, and to each attempt to deliver that
 * event, also when another process makes the attempt hours later. Modules begin and end spans by this interface and know
 * nothing of OpenTelemetry, which is loaded only where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. A trace begins with a call
 * and with nothing else. A span that is never ended is never sent: after a rollback nothing is left of it.
 * See docs/decisions/traces.md, "A trace begins with a call, and its position is stored".
 */
import type { Mode } from '../../kit/mode.ts';

/** A span that has begun and is recorded. */
export interface Span {
  readonly traceId: string;
  /** The position of this span in its trace, as the header `traceparent` of W3C Trace Context writes it. */
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
  /** Undefined when no operation has this address. */
  operationId: string | undefined;
  /** The path as the contract writes it, with the names of its parameters in place of their values. */
  route: string | undefined;
  method: string;
  status: number;
  /** Whether the client left before the end of the answer. */
  isAborted: boolean;
  requestId: string;
  /** Undefined when no credential was accepted. */
  caller: { merchantId: string; mode: Mode } | undefined;
}

/** The calls to which an event may belong: the one that publishes it, or the one that created its payment. */
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
  /** 1-based. */
  attempt: number;
  /** The host and port of the receiver. Undefined when its address cannot be read. */
  host: string | undefined;
}

/**
 * Each function that begins a span returns undefined when the span is not recorded.
 * See docs/decisions/traces.md, "A call that is not sampled leaves nothing".
 */
export interface Tracer {
  /** Begins a call, and goes on with the caller's trace if the header `traceparent` names one. */
  beginCall(traceparent: string | undefined): CallSpan | undefined;
  beginEvent(parents: EventParents, event: TracedEvent): EventSpan | undefined;
  /** Begins an attempt to deliver the event whose `traceparent` is given. */
  beginAttempt(traceparent: string, attempt: TracedAttempt): AttemptSpan | undefined;
  /** Sends the spans that have ended, within a limit of time. */
  stop(): Promise<void>;
}
