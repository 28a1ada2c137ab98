import { Kbd, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Search } from '../kit/icons.tsx';
import classes from './search-button.module.css';

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Opens the search, as its keyboard shortcut does. */
export function SearchButton({ onOpen, onApproach }: { onOpen: () => void; onApproach: () => void }): ReactNode {
  return (
    <UnstyledButton
      className={classes.button}
      onClick={onOpen}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <Search size={16} aria-hidden />
      <span className={classes.word}>Search</span>
      <Kbd className={classes.keys} size="xs" aria-hidden>
        {isApple ? '⌘ K' : 'Ctrl K'}
      </Kbd>
    </UnstyledButton>
  );
}
