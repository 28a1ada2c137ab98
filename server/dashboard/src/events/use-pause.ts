import { useState } from 'react';

interface Listed {
  total: number;
}

interface Pause<List> {
  /** The list to show: the newest one, or during a pause the list from its beginning. */
  shown: List | undefined;
  isPaused: boolean;
  /** The number of records that were added since the pause began. */
  newCount: number;
  pause: () => void;
  resume: () => void;
  /** Shows the newest list and stays paused. */
  catchUp: () => void;
}

/**
 * Keeps a live list unchanged while the user reads it. The list is still read from the service, so that the page can
 * show how many records were added. A pause belongs to one `key`: with other filters the pause ends.
 */
export function usePause<List extends Listed>(newest: List | undefined, key: string): Pause<List> {
  const [kept, setKept] = useState<{ key: string; list: List } | null>(null);
  const isPaused = kept?.key === key;
  const keep = () => newest && setKept({ key, list: newest });
  return {
    shown: isPaused ? kept.list : newest,
    isPaused,
    // The service purges old events, so the total can also fall.
    newCount: isPaused && newest ? Math.max(0, newest.total - kept.list.total) : 0,
    pause: keep,
    resume: () => setKept(null),
    catchUp: keep,
  };
}
