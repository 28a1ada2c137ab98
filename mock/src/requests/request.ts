import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Model } from '@tillhook/openapi';
import { bodyLimitOf, mediaTypeOf, tooIntricate } from '@tillhook/openapi/rules/json-body';
import { noJson, noUtf8, tooLarge, wrongCharset } from '@tillhook/openapi/rules/sentences';
import { maxParameters } from '@tillhook/openapi/rules/shorten';
import { isRefusedUnread, maxReadBytes } from '@tillhook/openapi/rules/unread-body';
import { ApiError } from './api-error.ts';
import { pathnameOf } from './routes.ts';

export interface MockRequest {
  method: string;
  pathname: string;
  /** The query, without the preferences. */
  query: ParsedUrlQuery;
  /** The preferences in the query, without the prefix `__`: the key of `?__code=404` is `code`. */
  queryPreferences: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The parsed body; undefined if the request has no body or a body that is not JSON. */
  body: unknown;
  error?: ApiError;
  /** A hash of the method, the URL and the body. */
  fingerprint: string;
}

export async function readRequest(request: IncomingMessage, model: Model): Promise<MockRequest> {
  const { method = 'GET', url = '', headers } = request;
  const limit = bodyLimitOf(model, { method, path: pathnameOf(request) });
  const { bytes, ...body } = await readBody(request, limit);
  const mark = url.indexOf('?');
  const parameters = mark < 0 ? [] : Object.entries(parse(url.slice(mark + 1), '&', '=', { maxKeys: maxParameters }));
  const isPreference = ([name]: [string, unknown]) => name.startsWith('__');
  return {
    method,
    pathname: pathnameOf(request),
    query: Object.fromEntries(parameters.filter((entry) => !isPreference(entry))),
    queryPreferences: Object.fromEntries(
      parameters.filter(isPreference).map(([name, value]) => [name.slice(2), String(value)]),
    ),
    headers,
    fingerprint: createHash('sha256').update(`${method} ${url}\n`).update(bytes).digest('hex'),
    ...body,
  };
}

export const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders) => {
  return mediaTypeOf(type).type === 'application/json';
};

interface ReadBody extends Pick<MockRequest, 'body' | 'error'> {
  bytes: Buffer;
}

async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const { headers } = request;
  const nothing = { body: undefined, bytes: Buffer.alloc(0) };
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return nothing;
  try {
    if (isJson(headers) && !mediaTypeOf(headers['content-type'] ?? '').isUtf8) throw new ApiError(...wrongCharset);
    const { bytes, isWhole } = await readBytes(request, limit);
    if (!isWhole && isJson(headers)) throw new ApiError(...tooLarge(limit));
    return { body: isJson(headers) && bytes.length > 0 ? parsed(bytes) : undefined, bytes };
  } catch (error) {
    if (error instanceof ApiError) return { ...nothing, error };
    throw error;
  }
}

/** Reads past `limit`, up to a second limit, because many clients send the whole body before they read the response. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  if (isRefusedUnread(request, limit)) return { bytes: Buffer.alloc(0), isWhole: false };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxReadBytes) break;
    if (size <= limit) chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), isWhole: size <= limit };
}

function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError(...noUtf8);
  const sentence = tooIntricate(bytes);
  if (sentence) throw new ApiError(...sentence);
  // As in the service, a body of only a byte order mark, which `TextDecoder` drops, counts as an empty object.
  const json = jsonIn(new TextDecoder().decode(bytes) || '{}');
  if (!json) throw new ApiError(...noJson);
  return json.value;
}

function jsonIn(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
