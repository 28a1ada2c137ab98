/**
 * The rounds of contenders. Each contender is warmed up first, until its rate stays the same. Then they take turns, and
 * each round has the opposite order of the one before, so that no contender always follows the same other one.
 */

/** A piece of work. Who can stop at any moment works for these seconds. Whose work is queued beforehand does the total. */
export interface Stint {
  seconds: number;
  total: number;
}

/** One round of one contender. */
export interface Rate {
  perSecond: number;
  /** CPU time of each process per unit of work, in microseconds; empty on systems other than Linux. */
  cpuMicros: Record<string, number>;
}

export type Contender = (stint: Stint) => Promise<Rate>;

/** How many rounds there are, and how long each lasts at least. */
export interface Rounds {
  rounds: number;
  seconds: number;
}

const window = { seconds: 1, most: 10, agreement: 0.1 };
/** The rate that is assumed before anything was measured. */
const firstGuess = 1000;
/** Queued work is this much more than the last rate would do in the time, so that a faster round is not shorter. */
const margin = 1.1;

/** Runs windows of a second until two in succession agree, and returns the rate of the last one. */
export async function warmUp(contender: Contender): Promise<number> {
  const { seconds, most, agreement } = window;
  let perSecond = firstGuess;
  for (let count = 1; count <= most; count += 1) {
    const before = perSecond;
    ({ perSecond } = await contender({ seconds, total: Math.ceil(before * seconds) }));
    if (count > 1 && Math.abs(perSecond - before) <= agreement * before) break;
  }
  return perSecond;
}

/** Returns the rates of all contenders for each round. */
export async function takeTurns<Name extends string>(
  contenders: Record<Name, Contender>,
  { rounds, seconds }: Rounds,
): Promise<Record<Name, Rate>[]> {
  const names = Object.keys(contenders) as Name[];
  const lastRates = new Map<Name, number>();
  for (const name of names) lastRates.set(name, await warmUp(contenders[name]));
  return inBothOrders(names, rounds, async (name) => {
    const total = Math.ceil((lastRates.get(name) ?? firstGuess) * seconds * margin);
    const rate = await contenders[name]({ seconds, total });
    lastRates.set(name, rate.perSecond);
    return rate;
  });
}

/** Runs each of these once in each round, and every other round in the opposite order. */
export async function inBothOrders<Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  run: (name: Name) => Promise<Result>,
): Promise<Record<Name, Result>[]> {
  const results: Record<Name, Result>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const taken = {} as Record<Name, Result>;
    for (const name of round % 2 === 0 ? names : names.toReversed()) taken[name] = await run(name);
    results.push(taken);
  }
  return results;
}
