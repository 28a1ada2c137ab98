import { createLink } from '@tanstack/react-router';
import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef } from 'react';
import classes from './list-tabs.module.css';
import { type SavedView, useFiltersOf } from './saved-views.ts';

export interface ListTab {
  /** The value of the search parameter; undefined for the tab that shows all records. */
  value: string | undefined;
  label: string;
}

export interface StatusTabs {
  /** What the tabs tell apart: "Status". */
  label: string;
  /** The search parameter that the tabs set. */
  name: string;
  all: readonly ListTab[];
  chosen: string | undefined;
}

interface ListTabsProps {
  tabs: StatusTabs | undefined;
  views: readonly SavedView[];
  /** The view that the list shows. Its filters do not belong to the other tabs. */
  shown: SavedView | undefined;
  /** The search parameters that a view sets. */
  viewed: readonly string[];
}

const withoutStatus: StatusTabs = {
  label: 'Views',
  name: 'page',
  all: [{ value: undefined, label: 'All' }],
  chosen: undefined,
};

/** The tabs are links, because each is a list with a URL: it can be opened in another window and sent to a colleague. */
export function ListTabs({ tabs, views, shown, viewed }: ListTabsProps): ReactNode {
  const { label, name, all, chosen } = tabs ?? withoutStatus;
  const nav = useRef<HTMLElement>(null);
  const filtersOf = useFiltersOf();
  const cleared = Object.fromEntries([...(shown || !tabs ? viewed : []), 'page'].map((each) => [each, undefined]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each current tab.
  useEffect(() => {
    if (nav.current) showCurrent(nav.current);
  }, [shown?.name, chosen]);
  return (
    <nav className={classes.tabs} aria-label={label} ref={nav}>
      {all.map((tab) => (
        <TabLink
          key={tab.label}
          to="."
          search={(before: object) => ({ ...before, ...cleared, [name]: tab.value })}
          isCurrent={!shown && tab.value === chosen}
        >
          {tab.label}
        </TabLink>
      ))}
      {views.map((view) => (
        <TabLink key={view.name} to="." search={() => filtersOf(view)} isCurrent={view === shown}>
          <bdi>{view.name}</bdi>
        </TabLink>
      ))}
    </nav>
  );
}

/** On a phone, the current tab may be outside of the screen. */
function showCurrent(nav: HTMLElement): void {
  const tab = nav.querySelector<HTMLElement>('[aria-current]');
  const end = tab ? tab.offsetLeft + tab.offsetWidth - nav.clientWidth : 0;
  if (end > nav.scrollLeft) nav.scrollLeft = end;
}

type TabAnchorProps = ComponentPropsWithRef<'a'> & { isCurrent: boolean };

/** The router compares only the paths of URLs, so each tab would be current. */
function TabAnchor({ isCurrent, ...props }: TabAnchorProps): ReactNode {
  return <a {...props} className={classes.tab} aria-current={isCurrent ? 'page' : undefined} />;
}

const TabLink = createLink(TabAnchor);

/** The keys of `states` are the values of the search parameter. */
export function tabsOf(states: Readonly<Record<string, { title: string }>>, all = 'All'): ListTab[] {
  const tabs = Object.entries(states).map(([value, { title }]) => ({ value, label: title }));
  return [{ value: undefined, label: all }, ...tabs];
}
