import { startStatementCutter } from '../../database/statement-cutter.ts';
import { ownServerForFile, type TestMerchant, type TestServer } from '../../server/tillhook.ts';
import { findPostgres } from '../../shared-fixtures.ts';
import { createScene } from '../crash.ts';

export const cutter = await startStatementCutter(await findPostgres());
export const server = ownServerForFile({ ROLE: 'api', PAYOUT_PROCESSOR: 'manual' }, cutter.reach);
export const scene = createScene(server, cutter);
export const post = callOnce(server);

/** Always sends the same `Idempotency-Key`, so that a repeated request has no second effect. */
function callOnce(server: () => TestServer) {
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
      if (!response.ok) throw new Error(`The server answered POST ${path} with ${response.status}.`);
    };
}
