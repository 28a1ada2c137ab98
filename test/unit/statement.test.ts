import { changeInBatches } from '@tillhook/server/src/platform/database/statement.ts';
import test from 'ava';

test('a long update changes every row once, in batches of 5,000, and counts the changed rows', async (t) => {
  const rows = Array.from({ length: 12_001 }, (_, number) => ({ id: `row-${number}` }));
  const batches: string[][] = [];

  const changed = await changeInBatches(rows, async (ids) => {
    batches.push(ids);
    return ids.length - 1;
  });

  t.deepEqual(
    batches.map(({ length }) => length),
    [5000, 5000, 2001],
  );
  t.deepEqual(
    batches.flat(),
    rows.map(({ id }) => id),
  );
  t.is(changed, 11_998);
});

test('if there are no rows to change, no statement is sent', async (t) => {
  t.is(await changeInBatches([], () => t.fail() as never), 0);
});
