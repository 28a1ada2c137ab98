/** The collector accepts OTLP as JSON and stores every span. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Undefined for the root span of a trace. */
  parentSpanId: string | undefined;
  /** The kind of span: 2 is a server, 3 a client, 4 a producer. */
  kind: number;
  isError: boolean;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

export interface Collector {
  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: ReceivedSpan[];
  /** All requests, unchanged. */
  requests: { path: string | undefined; headers: IncomingHttpHeaders; text: string }[];
  setStatus(status: number): void;
  waitFor(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
}

/** With a status other than 200, the collector refuses all spans. With `null`, it never answers. */
export async function startCollector(
  t: Pick<ExecutionContext, 'teardown'>,
  firstStatus: number | null = 200,
): Promise<Collector> {
  let status = firstStatus;
  const spans: ReceivedSpan[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    requests.push({ path: request.url, headers: request.headers, text });
    if (status === 200) spans.push(...spansIn(text));
    if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    setStatus(next) {
      status = next;
    },
    async waitFor(isWanted) {
      const [found] = await eventually(
        () => spans.filter(isWanted),
        (seen) => seen.length > 0,
      );
      return found as ReceivedSpan;
    },
  };
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
}

interface Attribute {
  key: string;
  value: Value;
}

interface WrittenSpan extends Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId' | 'kind'> {
  attributes: Attribute[];
  status: { code?: number };
  links?: { traceId: string; spanId: string }[];
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WrittenSpan[] }[] }[];
}

function spansIn(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Export;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) => scope.spans.map((span) => readSpan(span, valuesOf(resource.attributes)))),
  );
}

function readSpan(span: WrittenSpan, resource: Record<string, unknown>): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId, kind, status } = span;
  const links = (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId }));
  const read = { name, traceId, spanId, parentSpanId: parentSpanId || undefined, kind, links, resource };
  return { ...read, isError: status.code === 2, attributes: valuesOf(span.attributes) };
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? (value.intValue && Number(value.intValue))]),
  );
}
