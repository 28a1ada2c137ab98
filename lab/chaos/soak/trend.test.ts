import test from 'ava';
import { lowest, outerThirds, type Sample, slopePerMinute } from './trend.ts';

const minuteMs = 60_000;

const samplesOf = (...values: number[]): Sample[] => values.map((value, index) => ({ atMs: index * minuteMs, value }));

test('a slope is the growth per minute', (t) => {
  t.is(slopePerMinute(samplesOf(100, 102, 104, 106)), 2);
  t.is(slopePerMinute(samplesOf(100, 99, 98)), -1);
  t.is(slopePerMinute(samplesOf(7, 7, 7, 7)), 0);
});

test('a few outliers do not change a slope', (t) => {
  t.is(slopePerMinute(samplesOf(10, 11, 12, 900, 14, 15, 16, 17, 0, 19)), 1);
});

test('growth that garbage collection hides is visible in the lowest value of each window', (t) => {
  const sawtooth = samplesOf(50, 90, 51, 91, 52, 92, 53, 93);

  t.deepEqual(
    lowest(sawtooth, 2 * minuteMs).map(({ value }) => value),
    [50, 51, 52, 53],
  );
  t.is(slopePerMinute(lowest(sawtooth, 2 * minuteMs)), 0.5);
});

test('the slope of fewer than two samples is NaN', (t) => {
  t.is(slopePerMinute([]), Number.NaN);
  t.is(slopePerMinute(samplesOf(1)), Number.NaN);
});

test('the first and the last third are thirds of the covered time, and not of the number of samples', (t) => {
  const samples = [0, 1, 2, 3, 4, 5, 6, 59, 60].map((minute) => ({ atMs: minute * minuteMs }));

  const [first, last] = outerThirds(samples);

  t.is(first.length, 7);
  t.deepEqual(last, [{ atMs: 59 * minuteMs }, { atMs: 60 * minuteMs }]);
});
