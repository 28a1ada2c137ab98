import { inspect, isDeepStrictEqual } from 'node:util';

const pauseMs = 10;

/**
 * Calls `look` until it returns what is expected, and returns that value. If `look` throws, it is called again, because a server
 * that restarts does not answer for a while. After `patienceMs` it throws an error with the last value and the last error.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  expected: NoInfer<Seen> | ((seen: Seen) => boolean),
  patienceMs = 60_000,
): Promise<Seen> {
  const isExpected = (seen: Seen) =>
    typeof expected === 'function' ? (expected as (seen: Seen) => boolean)(seen) : isDeepStrictEqual(seen, expected);
  const deadline = Date.now() + patienceMs;
  let last = 'nothing: every look threw';
  let lastError = '';
  for (;;) {
    try {
      const seen = await look();
      if (isExpected(seen)) return seen;
      last = shown(seen);
    } catch (error) {
      lastError = `\nLast error: ${shown(error)}`;
    }
    if (Date.now() > deadline) {
      const wanted = typeof expected === 'function' ? String(expected) : shown(expected);
      throw new Error(`After ${patienceMs} ms this was not seen: ${wanted}\nLast seen: ${last}${lastError}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const shown = (value: unknown) => inspect(value, { depth: 6, compact: 10, breakLength: 120 });
