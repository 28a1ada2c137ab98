import { useLayoutEffect } from 'react';

/**
 * Keeps what the user types between opening the search and the moment when its field has the focus: the script of the
 * search may still be loading.
 * See docs/decisions/dashboard.md, "The shell keeps the keys that are typed before the search is there".
 */
export function useEarlyKeys(isOpen: boolean, change: (typed: (before: string) => string) => void): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      if (ctrlKey || metaKey || altKey || isComposing || document.activeElement?.closest('[role=dialog] [data-search]'))
        return;
      if (key.length === 1) change((before) => before + key);
      else if (key === 'Backspace') change((before) => before.slice(0, -1));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', keep, true);
    return () => removeEventListener('keydown', keep, true);
  }, [isOpen, change]);
}
