import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/**
 * Returns a function that posts a request, always with the same `Idempotency-Key`, so that repeating it has no second
 * effect. It throws if the server refuses the request.
 */
export function callOnce(server: () => TestServer) {
  return (path: string, body?: object, header: 'authorization' | 'x-api-key' = 'authorization') =>
    async ({ testKey }: TestMerchant): Promise<void> => {
      const response = await server().request(path, {
        method: 'POST',
        headers: {
          'idempotency-key': 'once',
          [header]: header === 'authorization' ? `Bearer ${testKey}` : testKey,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
    };
}
