import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { useFocusBack } from '../kit/dialog.tsx';
import { failureWords } from '../kit/failure-words.ts';
import {
  ArrowLeftRight,
  CreditCard,
  type Icon,
  Radio,
  Search as SearchIcon,
  Send,
  Undo2,
  Webhook,
} from '../kit/icons.tsx';
import { pagesWithKeys } from './shortcuts.ts';
import { type FoundRecord, useFound } from './use-found.ts';

const [store, { open }] = createSpotlight();
const listId = 'found';

const icons: Record<FoundRecord['kind'], Icon> = {
  payment: CreditCard,
  transfer: ArrowLeftRight,
  refund: Undo2,
  delivery: Send,
  event: Radio,
  endpoint: Webhook,
};

export function SearchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const mode = useMode();
  const navigate = useNavigate();
  const { user } = useSession();
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), 250);
  const found = useFound(query);
  // The results for the previous text disappear at once, so that Enter cannot open an outdated result.
  const isCurrent = query === typed.trim();
  const { records, error } = isCurrent ? found : nothing;
  const isSearching = found.isSearching || !isCurrent;
  useFocusBack(true);
  useEffect(open, []);
  const waitForFound = useEnter(typed);
  const wanted = typed.trim().toLowerCase();
  const pages = pagesWithKeys(user.role).filter(({ label }) => label.toLowerCase().includes(wanted));
  const isNothing = pages.length === 0 && records.length === 0;
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      store={store}
      attributes={{ content: { 'aria-label': 'Search' } }}
      shortcut={null}
      overlayProps={{ blur: 0 }}
      scrollable
    >
      <Spotlight.Search
        placeholder="A page, a reference, an email or an id"
        aria-label="Search"
        onKeyDown={waitForFound}
        leftSection={<SearchIcon size={18} aria-hidden />}
      />
      <Spotlight.ActionsList id={listId}>
        {pages.map(({ to, label, icon: Icon }) => (
          <Spotlight.Action
            key={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            onClick={() => void navigate({ to, params: { mode } })}
          />
        ))}
        {records.map(({ kind, label, description, page }) => {
          const Icon = icons[kind];
          return (
            <Spotlight.Action
              key={`${kind} ${label}`}
              label={label}
              description={description}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={() => void navigate(page)}
            />
          );
        })}
        {isNothing && <Spotlight.Empty role="status">{emptyWords({ isSearching, error, mode })}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const nothing = { records: [], error: null };

/**
 * When results arrive late and no result is selected, the search selects the first result, and opens it if the user has
 * already pressed Enter.
 */
function useEnter(typed: string): (event: KeyboardEvent) => void {
  const queryAtEnter = useRef<string>(undefined);
  useEffect(() => {
    if (typed.trim() === '' || selected()) return;
    const first = document.querySelector<HTMLElement>(`#${listId} [data-action]`);
    if (!first) return;
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
    if (queryAtEnter.current === typed) first.click();
  });
  return ({ key }) => {
    queryAtEnter.current = key === 'Enter' && !selected() ? typed : undefined;
  };
}

function selected(): Element | null {
  return document.querySelector(`#${listId} [data-selected]`);
}

function emptyWords({ isSearching, error, mode }: { isSearching: boolean; error: Error | null; mode: string }): string {
  if (isSearching) return 'Searching';
  if (error) return `${failureWords(error).title}. Close this and try again.`;
  return `No page has this name. No payment, transfer or refund has this reference or email, and no delivery, event or endpoint this id, in ${mode} mode.`;
}
