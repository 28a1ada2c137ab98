import type { OperationId } from '@tillhook/openapi';
import test from 'ava';
import type { SignedIn } from './session.ts';

/** A title's end, a query string, and the code and the parameter name of the error that the query must cause. */
export type RefusedQuery = [situation: string, query: string, code: string, param: string];

export function testRefusedQueries(
  { operation, path }: { operation: OperationId; path: string },
  sharedUser: () => Promise<SignedIn>,
  refused: readonly RefusedQuery[],
): void {
  for (const [situation, query, code, param] of refused) {
    test(`${operation} 400 when ${situation}`, async (t) => {
      const { call } = await sharedUser();

      const response = await call(`${path}?${query}`);

      t.is(response.status, 400);
      t.like((await response.json()).error, { code, param });
    });
  }
}
