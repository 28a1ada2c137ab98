import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { lazily } from '../app/load-script.ts';
import { LatePart } from './late-part.tsx';
import { SearchButton } from './search-button.tsx';

const dialog = () => import('./search-dialog.tsx');
const SearchDialog = lazily(async () => (await dialog()).SearchDialog);

/** The search over everything, by its button or ⌘K from wherever somebody types. Its script comes when it is about to open. */
export function Search(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useHotkeys([['mod+K', () => setIsOpen(true)]], []);
  return (
    <>
      <SearchButton onOpen={() => setIsOpen(true)} onApproach={() => void dialog()} />
      {isOpen && (
        <LatePart name="The search" onClose={() => setIsOpen(false)}>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </LatePart>
      )}
    </>
  );
}
