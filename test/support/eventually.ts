import { inspect, isDeepStrictEqual } from 'node:util';

/** The pause between two calls, as a share of the time waited so far. Each call costs processor time. */
const pausePart = 0.1;
const minPauseMs = 10;
const maxPauseMs = 200;

/** If `look` throws, it is called again, because a server that restarts does not answer. */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  expected: NoInfer<Seen> | ((seen: Seen) => boolean),
  patienceMs = 60_000,
): Promise<Seen> {
  const isExpected = (seen: Seen) =>
    typeof expected === 'function' ? (expected as (seen: Seen) => boolean)(seen) : isDeepStrictEqual(seen, expected);
  const start = Date.now();
  let last = 'nothing: every call threw an error';
  let lastError = '';
  for (;;) {
    try {
      const seen = await look();
      if (isExpected(seen)) return seen;
      last = shown(seen);
    } catch (error) {
      lastError = `\nLast error: ${shown(error)}`;
    }
    const waitedMs = Date.now() - start;
    if (waitedMs > patienceMs) {
      const wanted = typeof expected === 'function' ? String(expected) : shown(expected);
      throw new Error(
        `The expected value was not seen within ${patienceMs} ms: ${wanted}\nLast seen: ${last}${lastError}`,
      );
    }
    const pauseMs = Math.min(Math.max(waitedMs * pausePart, minPauseMs), maxPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const shown = (value: unknown) => inspect(value, { depth: 6, compact: 10, breakLength: 120 });
