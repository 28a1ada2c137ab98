import { inspect, isDeepStrictEqual } from 'node:util';

const pauseMs = 10;

/**
 * Looks again and again until it sees what is expected, and returns that. A look that throws is repeated, because a server that
 * restarts answers nothing for a while. When the time is over, the error says what was seen last and what was thrown last.
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
