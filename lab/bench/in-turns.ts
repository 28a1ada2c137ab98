/** Calls two functions by turns, so that other load on the machine affects both functions equally. */
export async function inTurns(
  total: number,
  ways: { tillhook: () => PromiseLike<unknown>; baseline: () => PromiseLike<unknown> },
): Promise<{ tillhook: number; baseline: number }> {
  const taken = { tillhook: 0, baseline: 0 };
  for (let done = 0; done < total; done += turn) {
    taken.baseline += await secondsOf(ways.baseline);
    taken.tillhook += await secondsOf(ways.tillhook);
  }
  return taken;
}

const turn = 100;

async function secondsOf(work: () => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < turn; count++) await work();
  return (performance.now() - startedAt) / 1000;
}
