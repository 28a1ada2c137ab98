import { useState } from 'react';

interface Listed {
  total: number;
}

interface Pause<List> {
  /** What to show: the newest, or what there was at the pause. */
  shown: List | undefined;
  isPaused: boolean;
  /** How many have come since the pause. */
  newCount: number;
  pause: () => void;
  resume: () => void;
  /** Shows the newest and stays paused. */
  catchUp: () => void;
}

/**
 * Keeps what a live list showed while somebody reads it. The list is still asked for, so that it is known how many came.
 * What was kept is of one `key`: with other filters the list goes on.
 */
export function usePause<List extends Listed>(newest: List | undefined, key: string): Pause<List> {
  const [kept, setKept] = useState<{ key: string; list: List } | null>(null);
  const isPaused = kept?.key === key;
  const keep = () => newest && setKept({ key, list: newest });
  return {
    shown: isPaused ? kept.list : newest,
    isPaused,
    // The service forgets old events, so that the total can also fall.
    newCount: isPaused && newest ? Math.max(0, newest.total - kept.list.total) : 0,
    pause: keep,
    resume: () => setKept(null),
    catchUp: keep,
  };
}
