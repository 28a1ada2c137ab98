import { useHotkeys } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { SearchButton } from './search-button.tsx';

const dialog = () => import('./search-dialog.tsx');
const SearchDialog = lazy(async () => ({ default: (await dialog()).SearchDialog }));

/** The search over everything, by its button or ⌘K from wherever somebody types. Its script comes when it is about to open. */
export function Search(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useHotkeys([['mod+K', () => setIsOpen(true)]], []);
  return (
    <>
      <SearchButton onOpen={() => setIsOpen(true)} onApproach={() => void dialog()} />
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
