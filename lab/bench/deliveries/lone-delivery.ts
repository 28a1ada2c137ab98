import { figureOf, type Measured } from '../contest.ts';
import { type Paced, perSecond } from './paced-events.ts';

interface Counted {
  name: string;
  about: string;
  processes: string[];
  /** Whether the CPU time of an event without a delivery is subtracted from the figure. */
  isDifference: boolean;
}

export const inWorker: Counted = {
  name: 'CPU of a delivery that comes alone, worker and Postgres',
  about: 'The publisher is another process and does not count, but what Postgres needs to save the event does.',
  processes: ['worker', 'postgres'],
  isDifference: false,
};

export const inOneProcess: Counted = {
  name: 'CPU that a delivery adds to its event, in one process',
  about: 'One process publishes and delivers, so the figure is what is left without the cost of the event.',
  processes: ['process', 'postgres'],
  isDifference: true,
};

/** Returns no figures on systems other than Linux, which do not report CPU times. */
export function loneDelivery(rounds: Record<'tillhook' | 'unheard', Paced>[], counted: Counted): Measured[] {
  const { name, processes, isDifference } = counted;
  const sum = ({ cpuMicros }: Paced) => processes.reduce((all, one) => all + (cpuMicros[one] ?? Number.NaN), 0);
  const taken = rounds.map(({ tillhook, unheard }) => ({
    tillhook: sum(tillhook) - (isDifference ? sum(unheard) : 0),
    baseline: sum(unheard),
    cpuMicros: { tillhook: tillhook.cpuMicros, baseline: unheard.cpuMicros },
  }));
  const described = {
    name,
    about: `Of the rounds with ${perSecond} events a second, until each delivery is recorded, by the system’s count. ${counted.about} Beside it the
      same events when no endpoint gets them.`,
    unit: 'µs',
    against: 'the event alone',
    target: { of: 'tillhook', atMost: 1000 },
  } as const;
  return taken.every(({ tillhook }) => Number.isFinite(tillhook)) ? [figureOf(described, taken)] : [];
}
