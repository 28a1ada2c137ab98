import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Makes calls that are the same call, however often they are made. One that is refused throws. */
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
