export interface Sample {
  atMs: number;
  value: number;
}

const minuteMs = 60_000;

/** Returns the median of the slopes between all pairs of samples (Theil–Sen), which a few outliers do not change. */
export function slopePerMinute(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((one, index) =>
    samples
      .slice(index + 1)
      .filter(({ atMs }) => atMs !== one.atMs)
      .map((other) => ((other.value - one.value) / (other.atMs - one.atMs)) * minuteMs),
  );
  return median(slopes);
}

/** Returns the lowest value of each window, because it includes the least uncollected garbage. */
export function lowest(samples: readonly Sample[], windowMs: number): Sample[] {
  const windows = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / windowMs));
  return [...windows.values()].map((window) =>
    window.reduce((lowestYet, each) => (each.value < lowestYet.value ? each : lowestYet)),
  );
}

export function outerThirds<Timed extends { atMs: number }>(samples: readonly Timed[]): [Timed[], Timed[]] {
  const times = samples.map(({ atMs }) => atMs);
  const [from, to] = [
    times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    times.reduce((a, b) => Math.max(a, b), 0),
  ];
  const third = (to - from) / 3;
  return [samples.filter(({ atMs }) => atMs <= from + third), samples.filter(({ atMs }) => atMs >= to - third)];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}
