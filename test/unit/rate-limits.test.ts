import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { parseRatePolicies } from '@tillhook/server/src/kit/rate-policies.ts';
import { createRateLimits } from '@tillhook/server/src/operation/rate-limits.ts';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';

test('a call that is returned after the end of its window does not change the next window', async (t) => {
  const database = await createTestDatabase();
  const limits = createRateLimits({
    policies: parseRatePolicies('sign_in:2/60'),
    timeoutMs: 10_000,
    database: reachDatabase(database.url),
    log: createLogger('silent'),
    metrics: { uncountedCalls: { add() {} } as never },
  });
  t.teardown(async () => {
    await limits.stop();
    await database.drop();
  });
  const call = () => limits.count('sign_in', 'here');

  await call();
  await call();
  await database.query('update rate_limit set expire = 0');
  const afterwards = await Promise.all([limits.giveBack('sign_in', 'here'), limits.giveBack('sign_in', 'here')]);

  t.deepEqual(
    afterwards.map((state) => state?.remaining),
    [2, 2],
  );
  t.is((await call())?.remaining, 1);
  t.is((await call())?.remaining, 0);
  await t.throwsAsync(call(), { message: /^Too many requests/ });
});
