import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { parseRatePolicies } from '@tillhook/server/src/kit/rate-policies.ts';
import { inOwnTime } from '@tillhook/server/src/kit/time-limits.ts';
import { createRateLimits, type RateLimits } from '@tillhook/server/src/operation/rate-limits.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import test, { type ExecutionContext } from 'ava';
import { createTestDatabase } from '../support/database/database.ts';

interface Limited {
  policies: string;
  databaseUrl: string;
  timeoutMs?: number;
}

function limitsOn(t: ExecutionContext, { policies, databaseUrl, timeoutMs = 10_000 }: Limited): RateLimits {
  const limits = createRateLimits({
    policies: parseRatePolicies(policies),
    timeoutMs,
    database: reachDatabase(databaseUrl),
    log: createLogger('silent'),
    metrics: { uncountedCalls: { inc() {} } as never },
  });
  t.teardown(() => limits.stop());
  return limits;
}

test('calls are counted although this process is blocked for longer than a count may take', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const limits = limitsOn(t, { policies: 'sign_in:2/600,test:2/600', databaseUrl: database.url, timeoutMs: 200 });
  await limits.count('sign_in', 'warm-up');

  // The answer has arrived, but the blocked process cannot read it.
  const counts = ['one', 'two', 'three'].map((key) => limits.count('test', key));
  await new Promise((resolve) => setImmediate(resolve));
  busyForMs(3000);

  for (const state of await Promise.all(counts)) t.is(state?.remaining, 1);
});

test('an answer of Postgres that this process reads in thirty slow turns of the event loop does not count as late', async (t) => {
  const readInTurns = async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      busyForMs(20);
    }
    return 'read';
  };

  t.is(await inOwnTime(100, readInTurns(), () => new Error('late')), 'read');
});

function busyForMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a call whose count is reverted after the end of its window does not change the count of the next window', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const limits = limitsOn(t, { policies: 'sign_in:2/60', databaseUrl: database.url });
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

test('the calls of a busy key are counted exactly up to the limit, with far fewer statements than calls', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await database.query('create table written ()');
  await database.query(
    `create function note_write() returns trigger language plpgsql as $$
     begin insert into written default values; return null; end $$`,
  );
  await database.query(
    'create trigger note_write after insert or update on rate_limit for each row execute function note_write()',
  );
  const limits = limitsOn(t, { policies: 'test:2000/600', databaseUrl: database.url });

  const left: (number | undefined)[] = [];
  for (let call = 1; call <= 2000; call += 1) left.push((await limits.count('test', 'merchant'))?.remaining);

  t.deepEqual(
    left,
    Array.from({ length: 2000 }, (_, index) => 1999 - index),
  );
  await t.throwsAsync(limits.count('test', 'merchant'), { message: /^Too many requests/ });
  const written = (await database.query('select from written')).length;
  t.true(written < 200, `${written} statements`);
});

for (const atOnce of [1, 7]) {
  test(`two processes together allow exactly as many calls as the limit, with ${atOnce} concurrent calls`, async (t) => {
    const database = await createTestDatabase();
    t.teardown(() => database.drop());
    const processes = [1, 2].map(() => limitsOn(t, { policies: 'test:500/600', databaseUrl: database.url }));
    const allowedBy = async (limits: RateLimits) => {
      let allowed = 0;
      for (let call = 1; call <= 600; call += atOnce) {
        const calls = Array.from({ length: atOnce }, () => limits.count('test', 'merchant'));
        const states = await Promise.allSettled(calls);
        allowed += states.filter(({ status }) => status === 'fulfilled').length;
      }
      return allowed;
    };

    const [one = 0, other = 0] = await Promise.all(processes.map(allowedBy));

    t.is(one + other, 500);
  });
}
