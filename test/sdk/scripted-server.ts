import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Tillhook, type TillhookOptions } from '@tillhook/sdk';
import type { ExecutionContext } from 'ava';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Act =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | ((res: ServerResponse) => void);

export const apiKey = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/** Each request gets the next step of the script, and further requests repeat the last step. */
export async function serve(t: ExecutionContext, script: Act[], options: Partial<TillhookOptions> = {}) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (req, res) => {
    const act = script[Math.min(seen.length, script.length - 1)] as Act;
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: await text(req) });
    if (typeof act === 'function') act(res);
    else answer(res, act);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, baseUrl, tillhook: new Tillhook(apiKey, { baseUrl, ...options }) };
}

function answer(res: ServerResponse, { status, headers, body }: Exclude<Act, (res: ServerResponse) => void>): void {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content);
}

export const emptyPage: Act = { status: 200, body: { payments: [], total: 0 } };

export function failure(status: number, type: string, code: string): Exclude<Act, (res: ServerResponse) => void> {
  return {
    status,
    headers: { 'x-request-id': 'req_01k9x7m3v5q8w2n4b6zd' },
    body: {
      success: false,
      message: `It failed with ${code}`,
      error: {
        type,
        code,
        param: 'amount',
        details: [{ path: '/amount', code: 'minimum', message: 'must be at least 1' }],
        docUrl: `http://localhost:3000/docs/errors#${code}`,
      },
      requestId: 'req_01k9x7m3v5q8w2n4b6zd',
    },
  };
}
