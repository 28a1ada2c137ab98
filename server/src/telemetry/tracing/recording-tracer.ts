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

/** When so many spans wait to be sent, further ones are dropped, so that they take limited memory while the collector is away. */
const maxWaiting = 4096;
const maxInBatch = 512;
const pauseMs = 1000;
/** The end of the process waits no longer than this for the last spans. */
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
      // When callers must not decide whether their calls are traced, they must not choose the trace id either, because
      // a sampler by ratio decides by that id.
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
      // Without an operation the name is the method alone, because callers could invent any number of paths.
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

interface ExporterSettings {
  url: string;
  headers: Record<string, string>;
  log: Logger;
}

/** The limit for one batch with all its repetitions. Meanwhile further spans wait, and those that find no place are dropped. */
const exportTimeoutMs = 10_000;

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/**
 * Sends batches of spans to the collector. A failure only loses spans. The log has one line when it begins and one when
 * it is over, however many batches are lost between them.
 */
function createExporter({ url, headers, log }: ExporterSettings): SpanExporter & { timeoutMs: number } {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs });
  let isFailing = false;

  function note({ code, error }: Result): void {
    const hasFailed = code !== 0;
    if (hasFailed === isFailing) return;
    isFailing = hasFailed;
    // Logs only the message, because the error of the library may contain what the collector answered.
    if (hasFailed)
      log.warn({ reason: error?.message }, 'Failed to send traces, which are lost until the collector answers');
    else log.info('Traces can be sent again');
  }

  return {
    timeoutMs: exportTimeoutMs,
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result);
        // The processor could do nothing about a failure but report it once more, to its own log.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The samplers by their standard names. One that is `parentbased` follows the caller's decision where there is one. */
function createSampler(name: SamplerName, ratio: number): Sampler {
  const [, root = name] = /^parentbased_(.+)$/.exec(name) ?? [];
  const sampler = rootSampler(root, ratio);
  return root === name ? sampler : new ParentBasedSampler({ root: sampler });
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** What the header `traceparent` of W3C Trace Context says: a trace and a position in it. */
interface TracePosition {
  traceId: string;
  spanId: string;
  /** Whether the sender records the trace. */
  isSampled: boolean;
}

/**
 * The form of the header: version, trace, span, flags, and what a later version may add. Ids of zeros and the version
 * ff are not valid.
 */
const traceparentForm = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/** Returns undefined for a malformed header, which is ignored as the standard asks. */
export function readTraceparent(header: string | undefined): TracePosition | undefined {
  const [, version, traceId, spanId, flags, addition] = traceparentForm.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && addition !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

/** The header of a position that is recorded. */
export function writeTraceparent({ traceId, spanId }: Pick<TracePosition, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`;
}
