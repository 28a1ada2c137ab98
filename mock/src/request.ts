import type { IncomingMessage } from 'node:http';
import { type IHttpRequest, ProblemJsonError } from '@stoplight/prism-http';
import type { Preferences } from './prism.ts';

export interface MockRequest {
  input: IHttpRequest;
  preferences: Preferences;
  /** The body claims to be JSON and is not; `input.body` is then its text. */
  isMalformed: boolean;
}

/** A request as Prism takes it, and what its caller prefers. */
export async function readRequest(request: IncomingMessage): Promise<MockRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock');
  const text = await readBody(request);
  const { body, isMalformed } = parse(text, request.headers['content-type']);
  // The service answers JSON whatever is accepted, and HEAD as GET. Prism would refuse both.
  const { accept: _, ...headers } = request.headers;
  const method = request.method === 'HEAD' ? 'get' : request.method?.toLowerCase();
  return {
    input: {
      method: method as IHttpRequest['method'],
      url: { path: pathname, query: queryOf(searchParams) },
      headers: headers as Record<string, string>,
      body,
    },
    preferences: readPreferences(request, searchParams),
    isMalformed,
  };
}

/** `Prefer: code=404, example=notFound`, or for a link `?__code=404&__example=notFound`. */
function readPreferences(request: IncomingMessage, query: URLSearchParams): Preferences {
  const header = String(request.headers.prefer ?? '');
  const pairs = header.matchAll(/([a-z]+)\s*=\s*"?([^",;\s]*)/gi);
  const preferred = new Map([...pairs].map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  const wish = (name: string) => preferred.get(name) ?? query.get(`__${name}`) ?? undefined;
  const [code, dynamic] = [wish('code'), wish('dynamic')];
  return {
    ...(code && { code: Number(code) }),
    ...(dynamic && { dynamic: dynamic === 'true' }),
    exampleKey: wish('example'),
    seed: wish('seed'),
  };
}

const maxBodyBytes = 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // What is too large is read to its end all the same: a client that is still sending would not hear the answer.
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) throw new ProblemJsonError('PAYLOAD_TOO_LARGE', 'Payload too large', 413, 'At most 1 MiB');
  return Buffer.concat(chunks).toString();
}

function parse(text: string, contentType = ''): { body: unknown; isMalformed: boolean } {
  if (text === '') return { body: undefined, isMalformed: false };
  if (!/^application\/(.+\+)?json\b/i.test(contentType)) return { body: text, isMalformed: false };
  try {
    return { body: JSON.parse(text), isMalformed: false };
  } catch {
    return { body: text, isMalformed: true };
  }
}

function queryOf(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}
