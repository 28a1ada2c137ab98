/** Tests answers of the mock that a person looks at: the page of errors, and the figures of Home. */
import './unobserved.ts';
import { startMock } from '@tillhook/mock/api';
import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';

const mock = await startMock();
test.after.always(() => mock.stop());

test('the page of errors shows names of the contract as code, without backticks', async (t) => {
  const page = await (await fetch(`${mock.url}/docs/errors`)).text();

  t.regex(page, /<code>Idempotency-Key<\/code>/);
  t.false(page.includes('`'));
});

test('the overview of a week has seven days, and figures that add up', async (t) => {
  const overview = async (query: string) => {
    const response = await fetch(`${mock.url}/api/v1/dashboard/overview${query}`, {
      headers: { cookie: 'tillhook_session=abc', 'x-service-mode': 'test' },
    });
    return (await response.json()) as OperationOutput<'getOverview'>;
  };
  const { days, now, before, intervals } = await overview('');
  const month = await overview('?days=30');
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

  t.deepEqual([days, intervals.length], [7, 7]);
  t.deepEqual([month.days, month.intervals.length], [30, 30]);
  t.is(now.from, String(intervals[0]?.startsAt));
  t.true(before.from < before.to && before.to < now.from);
  for (const { currency, net } of now.volume) {
    const ofDays = intervals.flatMap(({ volume }) => volume.filter((one) => one.currency === currency));
    t.is(net, sum(ofDays.map((one) => one.net)), String(currency));
  }
  t.is(now.deliveries?.created, sum(intervals.map(({ deliveries }) => deliveries.created)));
  t.true(now.volume.length > 1);
});
