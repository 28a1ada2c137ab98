import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { Mode } from '@tillhook/sdk/session';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { useFocusBack } from '../kit/dialog.tsx';
import { failureWords } from '../kit/failure-words.ts';
import {
  ArrowLeftRight,
  CircleUser,
  CreditCard,
  ExternalLink,
  type Icon,
  Link as LinkIcon,
  ListFilter,
  Package,
  Radio,
  Search as SearchIcon,
  Send,
  Undo2,
  Webhook,
} from '../kit/icons.tsx';
import { modeWords } from '../kit/mode-words.ts';
import { useActs } from './acts.ts';
import { isFound, placesFor } from './places.ts';
import { type FoundKind, useFound } from './use-found.ts';

const [store, { open }] = createSpotlight();
const listId = 'found';

const icons: Record<FoundKind, Icon> = {
  payment: CreditCard,
  customer: CircleUser,
  transfer: ArrowLeftRight,
  refund: Undo2,
  product: Package,
  payment_link: LinkIcon,
  delivery: Send,
  event: Radio,
  endpoint: Webhook,
};

interface SearchDialogProps {
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
}

interface Choice {
  key: string;
  label: string;
  description?: string | null;
  icon: Icon;
  choose: () => void;
}

/** The box stays at its place while its results change. */
export function SearchDialog({ typed, onType, onClose }: SearchDialogProps): ReactNode {
  const mode = useMode();
  const [query] = useDebouncedValue(typed.trim(), 200);
  const found = useFound(query);
  // The results for the previous text disappear at once, so that Enter cannot open an outdated result.
  const isCurrent = query === typed.trim();
  const { groups, docs, error } = isCurrent ? found : nothing;
  const isSearching = found.isSearching || !isCurrent;
  useFocusBack(true);
  useEffect(open, []);
  const waitForFound = useEnter(typed);
  const own = useOwnGroups(typed.trim());
  const navigate = useNavigate();
  const all = [
    ...own,
    ...groups.map(({ kind, title, records, all: rest }) => ({
      title,
      choices: [
        ...records.map(
          ({ page, ...record }): Choice => ({ ...record, icon: icons[kind], choose: () => void navigate(page) }),
        ),
        ...(rest
          ? [{ key: rest.label, label: rest.label, icon: ListFilter, choose: () => void navigate(rest.page) }]
          : []),
      ],
    })),
    {
      title: 'Documentation',
      choices: docs.map(
        ({ title, within, href }): Choice => ({
          key: href,
          label: title,
          description: within,
          icon: ExternalLink,
          choose: () => location.assign(href),
        }),
      ),
    },
  ].filter(({ choices }) => choices.length > 0);
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={onType}
      onSpotlightClose={onClose}
      store={store}
      attributes={{ content: { 'aria-label': 'Search' } }}
      shortcut={null}
      overlayProps={{ blur: 0 }}
      centered={false}
      transitionProps={{ duration: 0 }}
      scrollable
    >
      <Spotlight.Search
        data-search
        placeholder="Search payments, customers, amounts, pages and actions"
        aria-label="Search"
        onKeyDown={waitForFound}
        leftSection={<SearchIcon size={18} aria-hidden />}
      />
      <Spotlight.ActionsList id={listId}>
        {all.map(({ title, choices }) => (
          <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
            {choices.map(({ key, label, description, icon: ChoiceIcon, choose }) => (
              <Spotlight.Action
                key={key}
                label={label}
                description={description ?? undefined}
                leftSection={<ChoiceIcon size={18} aria-hidden />}
                onClick={choose}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {(all.length === 0 || (error && typed.trim() !== '')) && (
          <Spotlight.Empty role="status">{emptyWords({ isSearching, error, mode })}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const nothing = { groups: [], docs: [], error: null };

/** Acts and pages, which are found without a call to the service. */
function useOwnGroups(wanted: string): { title: string; choices: Choice[] }[] {
  const mode = useMode();
  const navigate = useNavigate();
  const { user } = useSession();
  const acts = wholeFirst(
    wanted,
    useActs().filter(({ label, words }) => isFound(wanted, label, words)),
  );
  const places = placesFor(user.role, mode).filter(({ label, within, words }) =>
    wanted === '' ? within === null : isFound(wanted, label, `${within ?? ''} ${words}`),
  );
  return [
    {
      title: 'Pages',
      choices: places.map(({ label, within, icon, page }) => ({
        key: `${within} ${label}`,
        label,
        description: within,
        icon,
        choose: () => void navigate(page),
      })),
    },
    { title: 'Actions', choices: acts.map(({ label, icon, run }) => ({ key: label, label, icon, choose: run })) },
  ];
}

/** An act whose label has the typed text comes before one that is only found by its other words. */
function wholeFirst<Act extends { label: string }>(wanted: string, acts: readonly Act[]): Act[] {
  const isWhole = ({ label }: Act) => label.toLowerCase().includes(wanted.toLowerCase());
  return [...acts.filter(isWhole), ...acts.filter((act) => !isWhole(act))];
}

/**
 * When results arrive, the search selects the first result, unless the user has moved the selection, and opens it if the
 * user has already pressed Enter. Groups arrive in any order, so the result that was the first may no longer be it.
 */
function useEnter(typed: string): (event: KeyboardEvent) => void {
  const queryAtEnter = useRef<string>(undefined);
  const moved = useRef<string>(undefined);
  useEffect(() => {
    if (typed.trim() === '' || (moved.current === typed && selected())) return;
    const first = document.querySelector<HTMLElement>(`#${listId} [data-action]`);
    if (!first || first === selected()) return;
    selected()?.removeAttribute('data-selected');
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
    if (queryAtEnter.current === typed) first.click();
  });
  return ({ key }) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') moved.current = typed;
    queryAtEnter.current = key === 'Enter' && !selected() ? typed : undefined;
  };
}

function selected(): Element | null {
  return document.querySelector(`#${listId} [data-selected]`);
}

function emptyWords({ isSearching, error, mode }: { isSearching: boolean; error: Error | null; mode: Mode }): string {
  if (isSearching) return 'Searching';
  if (error) return `${failureWords(error).title}. Close this and try again.`;
  return `No results in ${modeWords[mode]}. Try part of a reference, an email address or a name, or an amount such as 3,500.`;
}
