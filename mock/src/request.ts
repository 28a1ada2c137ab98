import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { Refusal } from './refusal.ts';
import { pathnameOf } from './routes.ts';

export interface MockRequest {
  method: string;
  pathname: string;
  /** What is asked of the service. */
  query: ParsedUrlQuery;
  /** What is asked of the mock: `?__code=404` is `code`. */
  wishes: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Undefined when there is none, or none of JSON. */
  body: unknown;
  /** Why the body cannot be read. */
  refusal?: Refusal;
}

export async function readRequest(request: IncomingMessage): Promise<MockRequest> {
  const { method = 'GET', url = '', headers } = request;
  const mark = url.indexOf('?');
  const asked = mark < 0 ? [] : Object.entries(parse(url.slice(mark + 1)));
  const isWish = ([name]: [string, unknown]) => name.startsWith('__');
  return {
    method,
    pathname: pathnameOf(request),
    query: Object.fromEntries(asked.filter((entry) => !isWish(entry))),
    wishes: Object.fromEntries(asked.filter(isWish).map(([name, value]) => [name.slice(2), String(value)])),
    headers,
    ...(await readBody(request)),
  };
}

const limitBytes = 100 * 1024;

/** No body of the contract is nested more than a few levels. */
const deepest = 32;

export const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders) => /^application\/json\s*(;|$)/i.test(type);

async function readBody(request: IncomingMessage): Promise<Pick<MockRequest, 'body' | 'refusal'>> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return { body: undefined };
  try {
    if (isJson(headers) && !saysUtf8(headers['content-type'] ?? '')) {
      throw new Refusal('unsupported_media_type', 'JSON must be in UTF-8');
    }
    const bytes = await readBytes(request);
    return { body: isJson(headers) && bytes.length > 0 ? parsed(bytes) : undefined };
  } catch (error) {
    if (error instanceof Refusal) return { body: undefined, refusal: error };
    throw error;
  }
}

function saysUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8\s*$/i.test(charset);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // What is too large is read to its end all the same: a client that is still sending would not hear the answer.
    if (size <= limitBytes) chunks.push(chunk);
  }
  if (size <= limitBytes || !isJson(request.headers)) return Buffer.concat(chunks);
  throw new Refusal('payload_too_large', 'The request body is larger than 100 KiB');
}

function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refusal('invalid_json', 'The request body is not UTF-8');
  const json = jsonIn(String(bytes));
  if (!json) throw new Refusal('invalid_json', 'The request body is not valid JSON');
  if (!isDeeperThan(json.value, deepest)) return json.value;
  throw new Refusal('invalid_json', `The request body is nested more than ${deepest} levels deep`);
}

function jsonIn(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
