import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { lazily, loadAhead } from '../app/load-script.tsx';
import { Search as SearchIcon } from '../kit/icons.tsx';
import { LatePart } from './late-part.tsx';
import classes from './search-button.module.css';

const dialog = () => import('./search-dialog.tsx');
const SearchDialog = lazily(async () => (await dialog()).SearchDialog);

export function Search(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  useEarlyKeys(isOpen, setTyped);
  const close = () => {
    setIsOpen(false);
    setTyped('');
  };
  useHotkeys([['mod+K', () => setIsOpen(true)]], []);
  return (
    <>
      <SearchButton onOpen={() => setIsOpen(true)} onApproach={() => loadAhead(dialog)} />
      {isOpen && (
        <LatePart name="The search" onClose={close}>
          <SearchDialog typed={typed} onType={setTyped} onClose={close} />
        </LatePart>
      )}
    </>
  );
}

export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

export function SearchButton({ onOpen, onApproach }: { onOpen: () => void; onApproach: () => void }): ReactNode {
  return (
    <UnstyledButton
      className={classes.button}
      onClick={onOpen}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <SearchIcon size={16} aria-hidden />
      <span className={classes.word}>Search</span>
      <Kbd className={classes.keys} size="xs" aria-hidden>
        {isApple ? '⌘ K' : 'Ctrl K'}
      </Kbd>
    </UnstyledButton>
  );
}

/**
 * Keeps what the user types between opening the search and the moment when its field has the focus: the script of the
 * search may still be loading.
 * See docs/decisions/dashboard.md, "The shell keeps the keys that are typed before the search is there".
 */
function useEarlyKeys(isOpen: boolean, change: (typed: (before: string) => string) => void): void {
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
