import test from 'ava';
import { eventually } from '../support/eventually.ts';

const soonMs = 30;

test('eventually returns the value when the value is as expected', async (t) => {
  let looks = 0;
  const look = () => ({ looks: ++looks });

  t.deepEqual(await eventually(look, { looks: 2 }), { looks: 2 });
  t.deepEqual(await eventually(look, (seen) => seen.looks > 3), { looks: 4 });
});

test('the error of a failed wait has the complete expected value and the complete last value', async (t) => {
  const seen = [{ status: 'pending', events: [{ name: 'checkout.success' }] }];

  const error = await t.throwsAsync(eventually(() => seen, [], soonMs));

  t.is(
    error?.message,
    "The expected value was not seen within 30 ms: []\nLast seen: [ { status: 'pending', events: [ { name: 'checkout.success' } ] } ]",
  );
});

test('the error of a failed wait has the condition if the expectation is a function', async (t) => {
  const isEnough: (seen: number) => boolean = (seen) => seen > 4;

  const error = await t.throwsAsync(eventually(() => 3, isEnough, soonMs));

  t.is(error?.message, 'The expected value was not seen within 30 ms: (seen) => seen > 4\nLast seen: 3');
});

test('eventually continues after an error, and the final error has the last value and the last error', async (t) => {
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks > 1) throw new Error(`look ${looks}`);
    return 'pending';
  };

  // The time is long enough for more than two calls on a busy machine.
  const error = await t.throwsAsync(eventually(look, 'completed', 1000));

  t.true(looks > 2, `${looks} looks`);
  const beginning = `The expected value was not seen within 1000 ms: 'completed'\nLast seen: 'pending'\nLast error: Error: look ${looks}\n`;
  t.is(error?.message.slice(0, beginning.length), beginning);
  let failures = 0;
  const lookAgain = () => (failures++ < 5 ? Promise.reject(new Error('not yet')) : 'there');
  t.is(await eventually(lookAgain, 'there'), 'there');
});
