import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { CreditCard, Search as SearchIcon, Send } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { stateOf } from '../deliveries/status-words.ts';
import { formatAmount } from '../kit/amount.ts';
import { failureWords } from '../kit/failure-words.ts';
import { pageGroupsFor } from './pages.ts';
import { useFound } from './use-found.ts';

const [store, { open }] = createSpotlight();
const listId = 'found';

/** Finds a page by its name, a payment by its reference or the customer's email, and a delivery by its id. */
export function SearchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const mode = useMode();
  const navigate = useNavigate();
  const { user } = useSession();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 250);
  const found = useFound(asked);
  // The results for the previous text disappear with the next letter, so that Enter cannot open one of them.
  const isCurrent = asked === typed.trim();
  const { payments, delivery, error } = isCurrent ? found : nothing;
  const isAsking = found.isAsking || !isCurrent;
  useEffect(open, []);
  const waitForFound = useEnter(typed);
  const wanted = typed.trim().toLowerCase();
  const pages = pageGroupsFor(user.role)
    .flat()
    .filter(({ label }) => label.toLowerCase().includes(wanted));
  const isNothing = pages.length === 0 && payments.length === 0 && !delivery;
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
        placeholder="A page, a payment’s reference or email, a delivery’s id"
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
        {payments.map(({ reference, amount, currency, customerEmail, status }) => (
          <Spotlight.Action
            key={reference}
            label={reference}
            description={`${formatAmount(amount, currency)}, ${status}, ${customerEmail}`}
            leftSection={<CreditCard size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/$mode/payments/$reference', params: { mode, reference } })}
          />
        ))}
        {delivery && (
          <Spotlight.Action
            label={`Delivery of ${delivery.event}`}
            description={`${stateOf(delivery)}, ${delivery.url}`}
            leftSection={<Send size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/$mode/deliveries/$id', params: { mode, id: delivery.id } })}
          />
        )}
        {isNothing && <Spotlight.Empty role="status">{emptyWords({ isAsking, error, mode })}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const nothing = { payments: [], delivery: null, error: null };

/**
 * The library selects a result for Enter when the user types. Results of the service come later. This code selects
 * the first of them when nothing else is selected, and opens it when the user has already pressed Enter.
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

function emptyWords({ isAsking, error, mode }: { isAsking: boolean; error: Error | null; mode: string }): string {
  if (isAsking) return 'Searching';
  if (error) return `${failureWords(error).title}. Close this and try again.`;
  return `Nothing has this name, reference, email or id in ${mode} mode.`;
}
