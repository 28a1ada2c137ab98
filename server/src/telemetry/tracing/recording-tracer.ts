/**
 * A span may contain ids, names, hosts and codes, but no URL, body, header, reference or address of a customer.
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
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config/config.ts';
import type { SamplerName } from '../../config/setting-values.ts';
import type { Logger } from '../../kit/logger.ts';
import { atMost } from '../../kit/time-limits.ts';
import type { AttemptSpan, CallSpan, EndedCall, EventSpan, Span, Tracer } from './tracer.ts';

type RecordingSettings = NonNullable<Config['tracing']> & Pick<Config, 'role' | 'shutdownGraceMs'> & { log: Logger };

/** Limits the memory that spans take while the collector is down. */
const maxWaiting = 4096;
const maxInBatch = 512;
const pauseMs = 1000;
const flushMs = 2000;

export function createRecordingTracer(settings: RecordingSettings): Tracer {
  const exporter = createExporter(settings);
  const spanProcessor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: maxWaiting,
    maxExportBatchSize: maxInBatch,
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
  const begin = (name: string, { parent, ...options }: SpanSettings) => {
    const span = tracer.startSpan(name, options, parent);
    return isRecorded(span) ? span : undefined;
  };

  return {
    beginCall(traceparent) {
      // A ratio sampler decides by the trace id, so a caller's trace id is used only if callers may decide on sampling.
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
    // A collector that does not answer must neither fail nor delay the stop of the process.
    stop: () =>
      atMost(
        Math.min(flushMs, settings.shutdownGraceMs),
        provider.shutdown().catch(() => {}),
      ),
  };
}

interface SpanSettings {
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

/** Ignores the caller's `tracestate`, so that no receiver ever gets it. */
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
      // Callers could invent any number of paths, so a call without an operation is named after its method alone.
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

function addressOf(host = ''): Attributes {
  const [, address, port] = /^(.+?)(?::(\d+))?$/.exec(host) ?? [];
  return { 'server.address': address, 'server.port': port && Number(port) };
}

interface ExporterSettings {
  url: string;
  headers: Record<string, string>;
  log: Logger;
}

const exportTimeoutMs = 10_000;

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Logs once when exports begin to fail and once when they succeed again, however many batches are lost. */
function createExporter({ url, headers, log }: ExporterSettings): SpanExporter & { timeoutMs: number } {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs });
  let isFailing = false;

  function note({ code, error }: Result): void {
    const hasFailed = code !== 0;
    if (hasFailed === isFailing) return;
    isFailing = hasFailed;
    // Only the message is logged, because the error of the library may contain the collector's response.
    if (hasFailed)
      log.warn({ reason: error?.message }, 'Failed to export traces; spans are dropped until an export succeeds');
    else log.info('Exporting traces succeeds again');
  }

  return {
    timeoutMs: exportTimeoutMs,
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result);
        // Reports success to the span processor, which would log a failure a second time.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function createSampler(name: SamplerName, ratio: number): Sampler {
  const [, root = name] = /^parentbased_(.+)$/.exec(name) ?? [];
  const sampler = rootSampler(root, ratio);
  return root === name ? sampler : new ParentBasedSampler({ root: sampler });
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** The trace context in the header `traceparent` (W3C Trace Context). */
interface TracePosition {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Version, trace id, span id and flags; a later version may add fields. Version ff and ids of zeros are invalid. */
const traceparentForm = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/** A malformed header is ignored, as the W3C specification requires. */
export function readTraceparent(header: string | undefined): TracePosition | undefined {
  const [, version, traceId, spanId, flags, addition] = traceparentForm.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && addition !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

export function writeTraceparent({ traceId, spanId }: Pick<TracePosition, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`;
}
