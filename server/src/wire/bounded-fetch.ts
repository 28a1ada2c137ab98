/**
 * A `fetch` for a library that calls another service. A slow or a huge answer costs a bounded time and memory, and a
 * redirect is not followed.
 */
import { Agent, request } from 'undici';

export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

export interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams;
}

const maxAnswerMs = 5000;
const maxAnswerBytes = 256 * 1024;
/** The calls are rare, so each call opens a new connection. */
const agent = new Agent({ pipelining: 0 });

export async function boundedFetch(url: string, { method, headers, body }: FetchOptions): Promise<Response> {
  const signal = AbortSignal.timeout(maxAnswerMs);
  try {
    const sent = method === 'GET' ? { method } : { method: 'POST' as const, body: body?.toString() };
    const answer = await request(url, { ...sent, headers, signal, dispatcher: agent });
    if (answer.statusCode >= 500) throw new NoAnswerError(`The answer has the status ${answer.statusCode}.`);
    const type = answer.headers['content-type'];
    return new Response(await readWithinBound(answer.body), {
      status: answer.statusCode,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  } catch (error) {
    if (error instanceof NoAnswerError) throw error;
    throw new NoAnswerError(
      signal.aborted ? `No whole answer came within ${maxAnswerMs} ms.` : 'The connection failed.',
      {
        cause: error,
      },
    );
  }
}

async function readWithinBound(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxAnswerBytes) throw new NoAnswerError(`The answer has more than ${maxAnswerBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
