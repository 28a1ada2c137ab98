import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { lazily, loadAhead } from '../app/load-script.tsx';
import { LatePart } from './late-part.tsx';
import { SearchButton } from './search-button.tsx';

const dialog = () => import('./search-dialog.tsx');
const SearchDialog = lazily(async () => (await dialog()).SearchDialog);

/**
 * The search, which opens with its button or with ⌘K on any page. Its script is loaded when the user is about to open
 * it.
 */
export function Search(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useHotkeys([['mod+K', () => setIsOpen(true)]], []);
  return (
    <>
      <SearchButton onOpen={() => setIsOpen(true)} onApproach={() => loadAhead(dialog)} />
      {isOpen && (
        <LatePart name="The search" onClose={() => setIsOpen(false)}>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </LatePart>
      )}
    </>
  );
}
