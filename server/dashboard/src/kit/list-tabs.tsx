import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './list-tabs.module.css';

export interface ListTab {
  /** The value of the search parameter; undefined for the tab that shows all records. */
  value: string | undefined;
  label: string;
}

interface ListTabsProps {
  /** What the tabs tell apart: "Status". */
  label: string;
  /** The search parameter that the tabs set. */
  name: string;
  tabs: readonly ListTab[];
  chosen: string | undefined;
}

/** The tabs are links, because each is a list with a URL: it can be opened in another window and sent to a colleague. */
export function ListTabs({ label, name, tabs, chosen }: ListTabsProps): ReactNode {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <TabLink
          key={tab.label}
          to="."
          search={(before: object) => ({ ...before, [name]: tab.value, page: undefined })}
          isCurrent={tab.value === chosen}
        >
          {tab.label}
        </TabLink>
      ))}
    </nav>
  );
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
