/**
 * Records spans and sends them by OTLP over HTTP. No library is changed to make spans by itself, and nothing is
 * registered globally: a span exists only where a module begins one.
 *
 * What a span may contain is decided here and nowhere else: ids, names, hosts, codes. It has no URL, no body, no header,
 * no reference and no address of a customer.
 * See docs/decisions/traces.md, "What goes to the collector, and what to receivers".
 */
import {
  type Attributes,
  type Context,
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config/config.ts';
import { atMost } from '../../kit/at-most.ts';
import type { Logger } from '../../kit/logger.ts';
import { createExporter } from './exporter.ts';
import { createSampler } from './sampler.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import type { AttemptSpan, CallSpan, EndedCall, EventSpan, Span, Tracer } from './tracer.ts';

type RecordingSettings = NonNullable<Config['tracing']> & Pick<Config, 'role' | 'shutdownGraceMs'> & { log: Logger };

/** Spans that end while so many wait to be sent are dropped: a collector that is away takes a bounded memory. */
const mostWaiting = 4096;
const mostInBatch = 512;
const pauseMs = 1000;
/** The end of the process waits no longer than this for the last spans. */
const flushMs = 2000;

export function createRecordingTracer(settings: RecordingSettings): Tracer {
  const exporter = createExporter(settings);
  const spanProcessor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    maxExportBatchSize: mostInBatch,
    scheduledDelayMillis: pauseMs,
    exportTimeoutMillis: exporter.timeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': packageFile.version,
      'tillhook.role': settings.role,
    }),
    sampler: createSampler(settings.sampler, settings.ratio),
    spanProcessors: [spanProcessor],
  });
  const tracer = provider.getTracer('tillhook', packageFile.version);
  const begin = (name: string, { parent, ...options }: Beginning) => {
    const span = tracer.startSpan(name, options, parent);
    return isRecorded(span) ? span : undefined;
  };

  return {
    beginCall(traceparent) {
      // Where a caller must not decide whether its calls are traced, it chooses no trace id either: a sampler by ratio
      // decides by that id.
      const isFollowed = settings.sampler.startsWith('parentbased_');
      const parent = contextOf(isFollowed ? traceparent : undefined);
      const span = begin('call', { kind: SpanKind.SERVER, parent, links: isFollowed ? [] : linksTo(traceparent) });
      return span && callSpan(span);
    },
    beginEvent({ call, creation }, { id, name, merchantId, mode }) {
      const parent = call?.traceparent ?? creation;
      if (!parent) return undefined;
      const attributes = {
        'tillhook.event_id': id,
        'tillhook.merchant_id': merchantId,
        'tillhook.mode': mode,
      };
      const links = parent === creation ? [] : linksTo(creation);
      const span = begin(`publish ${name}`, { kind: SpanKind.PRODUCER, parent: contextOf(parent), attributes, links });
      return span && eventSpan(span);
    },
    beginAttempt(traceparent, { eventName, host, ...attempt }) {
      const attributes = {
        ...addressOf(host),
        'http.request.method': 'POST',
        'tillhook.attempt': attempt.attempt,
        'tillhook.delivery_id': attempt.deliveryId,
        'tillhook.event_id': attempt.eventId,
        'tillhook.webhook_id': attempt.webhookId,
        'tillhook.merchant_id': attempt.merchantId,
        'tillhook.mode': attempt.mode,
      };
      const span = begin(`deliver ${eventName}`, { kind: SpanKind.CLIENT, parent: contextOf(traceparent), attributes });
      return span && attemptSpan(span);
    },
    // A collector that does not answer must neither fail nor delay the stop.
    stop: () =>
      atMost(
        Math.min(flushMs, settings.shutdownGraceMs),
        provider.shutdown().catch(() => {}),
      ),
  };
}

interface Beginning {
  kind: SpanKind;
  parent: Context;
  attributes?: Attributes;
  links?: Link[];
}

const isRecorded = (span: OtelSpan) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;

function contextOf(traceparent: string | undefined): Context {
  const parent = spanContextOf(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** The `tracestate` of callers is not read, so it can be stored nowhere and reach no receiver. */
function spanContextOf(traceparent: string | null | undefined): SpanContext | undefined {
  const position = readTraceparent(traceparent ?? undefined);
  if (!position) return undefined;
  const { traceId, spanId, isSampled } = position;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function linksTo(traceparent: string | null | undefined): Link[] {
  const context = spanContextOf(traceparent);
  return context ? [{ context }] : [];
}

function positionOf(span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return { traceId, traceparent: writeTraceparent({ traceId, spanId }) };
}

function callSpan(span: OtelSpan): CallSpan {
  return {
    ...positionOf(span),
    end(call) {
      const { operationId, method, status, isAborted } = call;
      // Without an operation the name is the method alone, because paths that callers invent would be endless names.
      span.updateName(operationId ?? method);
      span.setAttributes(attributesOf(call));
      if (status >= 500 || isAborted) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function attributesOf({ method, route, status, isAborted, requestId, caller }: EndedCall): Attributes {
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': isAborted ? undefined : status,
    'error.type': errorOf(status, isAborted),
    'tillhook.request_id': requestId,
    'tillhook.merchant_id': caller?.merchantId,
    'tillhook.mode': caller?.mode,
  };
}

function errorOf(status: number, isAborted: boolean): string | undefined {
  if (isAborted) return 'aborted';
  return status >= 500 ? String(status) : undefined;
}

function eventSpan(span: OtelSpan): EventSpan {
  return { ...positionOf(span), end: () => span.end() };
}

function attemptSpan(span: OtelSpan): AttemptSpan {
  return {
    ...positionOf(span),
    end({ statusCode, error }) {
      const isDelivered = error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
      span.setAttributes({
        'http.response.status_code': statusCode ?? undefined,
        'error.type': isDelivered ? undefined : (error ?? String(statusCode)),
      });
      if (!isDelivered) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The parts of a host as a URL writes it. An address of IPv6 is in brackets. */
function addressOf(host = ''): Attributes {
  const [, address, port] = /^(.+?)(?::(\d+))?$/.exec(host) ?? [];
  return { 'server.address': address, 'server.port': port && Number(port) };
}
