import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, Suspense, useState } from 'react';
import { lazily } from '../app/load-script.ts';
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
        <Suspense>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
