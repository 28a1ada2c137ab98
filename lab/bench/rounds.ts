/** Every second round has the opposite order, so that no contender always follows the same contender. */

/** Contenders that can stop at any moment work for `seconds`; contenders with queued work do `total` pieces of work. */
export interface Stint {
  seconds: number;
  total: number;
}

export interface Rate {
  perSecond: number;
  /** The CPU time of each process per unit of work, in microseconds. Empty on systems other than Linux. */
  cpuMicros: Record<string, number>;
}

export type Contender = (stint: Stint) => Promise<Rate>;

export interface Rounds {
  rounds: number;
  seconds: number;
}

const window = { seconds: 1, maxWindows: 10, agreement: 0.1 };
/** The assumed rate before the first measurement, in pieces of work per second. */
const firstGuess = 1000;
/** More work is queued than the last rate needs, so that a faster round is not too short. */
const margin = 1.1;

export async function warmUp(contender: Contender): Promise<number> {
  const { seconds, maxWindows, agreement } = window;
  let perSecond = firstGuess;
  for (let count = 1; count <= maxWindows; count += 1) {
    const before = perSecond;
    ({ perSecond } = await contender({ seconds, total: Math.ceil(before * seconds) }));
    if (count > 1 && Math.abs(perSecond - before) <= agreement * before) break;
  }
  return perSecond;
}

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
