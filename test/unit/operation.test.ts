import { inTurn } from '@tillhook/server/src/operation/operation.ts';
import test from 'ava';

test('operations with the same key run one after another, even after a failure, and operations with another key run immediately', async (t) => {
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const note = (name: string, until?: Promise<void>) => async () => {
    seen.push(`${name} begins`);
    await until;
    seen.push(`${name} ends`);
    if (name === 'second') throw new Error('It failed.');
    return name;
  };

  const runs = [
    inTurn('ada', note('first', first.promise)),
    inTurn('ada', note('second')),
    inTurn('ada', note('third')),
  ];
  t.is(await inTurn('grace', note('other')), 'other');
  first.resolve();

  const results = await Promise.allSettled(runs);
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const order = ['first begins', 'other begins', 'other ends', 'first ends'];
  t.deepEqual(seen, [...order, 'second begins', 'second ends', 'third begins', 'third ends']);
});
