/** The search asks a page for its dialog, and the page opens it when it is shown. */
import { useEffect, useEffectEvent } from 'react';

export type AskedAct = 'checkout' | 'payment-link' | 'refund' | 'transfer' | 'endpoint';

let asked: AskedAct | null = null;
const listeners = new Set<() => void>();

export function askFor(act: AskedAct): void {
  asked = act;
  for (const listener of listeners) listener();
}

/** Calls `open` once when the user has asked for this act, before or while the page is shown. */
export function useAsked(act: AskedAct, open: () => void): void {
  const answer = useEffectEvent(() => {
    if (asked !== act) return;
    asked = null;
    open();
  });
  useEffect(() => {
    answer();
    listeners.add(answer);
    return () => void listeners.delete(answer);
  }, []);
}
