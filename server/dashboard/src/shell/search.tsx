import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { lazily, loadAhead } from '../app/load-script.tsx';
import { Search as SearchIcon } from '../kit/icons.tsx';
import { useEarlyKeys } from './early-keys.ts';
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
